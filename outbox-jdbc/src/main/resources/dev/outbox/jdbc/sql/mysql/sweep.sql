-- fragment: followers.first
{first_of_key}
