create table if not exists orders (id varchar(20) primary key);
