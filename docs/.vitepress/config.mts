import { defineConfig, type DefaultTheme } from 'vitepress'

// The pages as they are in docs/. Nothing is loaded from another host. The API is put under /api by `./mvnw -Pdocs`.

type Item = DefaultTheme.SidebarItem

function page(name: string, text: string): Item {
  return { text, link: `/${name}` }
}

const sidebar: Item[] = [
  {
    text: 'Begin',
    items: [
      page('getting-started', 'Getting started'),
      page('publish-to-your-broker', 'Publish to your broker'),
      page('known-outages', 'Known outages'),
      page('spring-boot', 'Spring Boot'),
      page('transactions', 'Transactions and frameworks'),
      page('payloads', 'Payloads'),
      page('brokers/index', 'Brokers'),
      page('brokers/kafka', 'Apache Kafka'),
      page('brokers/rabbitmq', 'RabbitMQ'),
      page('brokers/nats', 'NATS JetStream'),
      page('brokers/sqs', 'Amazon SQS'),
      page('brokers/jms', 'Jakarta Messaging'),
      page('brokers/http', 'HTTP'),
      page('brokers/consume', 'Receive from your broker'),
      page('consume-once', 'Consume once'),
      page('test-your-app', 'Test your app'),
      page('settings', 'Settings'),
      page('migrate', 'Migrate from another outbox'),
    ],
  },
  {
    text: 'Understand',
    items: [
      page('guarantees', 'Guarantees'),
      page('how-it-works', 'How it works'),
      page('performance', 'Performance'),
      page('compare', 'Compare'),
      page('faq', 'Questions'),
      page('glossary', 'Glossary'),
    ],
  },
  {
    text: 'Operate',
    items: [
      page('operate', 'Operate'),
      page('runbook', 'Runbook'),
      page('operate-messages', 'Topics and dead letters'),
      page('operate-grants', 'Grants'),
      page('operate-doctor', 'The doctor'),
      page('operate-logs', 'Log lines'),
      page('metrics', 'Metrics'),
      page('tracing', 'Tracing'),
      page('operate-connections', 'Connections and poolers'),
      page('scale', 'Scale'),
      page('operate-failover', 'Failover and restore'),
      page('security', 'Security'),
      page('threat-model', 'Threat model'),
      page('upgrading', 'Upgrading'),
      page('versions', 'Versions'),
    ],
  },
  {
    text: 'More',
    items: [
      page('work-queue', 'The database as the queue'),
      page('by-reference', 'Payloads by reference'),
      page('tables', 'Enqueue by plain SQL'),
      page('bad-input', 'Refused by enqueue'),
      page('bad-input-setup', 'Refused at set-up'),
      page('bad-input-running', 'Wrong at run time'),
      page('several-clusters', 'Several clusters'),
      page('several-clusters-restore', 'Restore one of several clusters'),
    ],
  },
  {
    text: 'For contributors',
    collapsed: true,
    items: [
      page('internals/design-decisions', 'Design decisions'),
      page('internals/design-engine', 'Design of the engine'),
      page('internals/design-integrations', 'Design of the integrations'),
      page('internals/dialects', 'Databases'),
      page('internals/crash-testing', 'Crash testing'),
      page('internals/proof-of-guarantees', 'Proof of the guarantees'),
      page('internals/proof-results', 'What the long runs found'),
      page('internals/proof-hardening', 'What mutants and random texts found'),
      page('internals/measurements', 'Measurements'),
    ],
  },
]

/** As GitHub names the headings, so that a link holds in both places. */
function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replace(/ /g, '-')
}

/** README.md is no page of the site: what leads there leads to the first page. Sources are in the repository. */
function atHome(href: string): string {
  return href
    .replace(/^(\.\.\/)+README\.md(#.*)?$/, '/index.md')
    .replace(/^(\.\.\/)+(examples\/.*)$/, 'https://github.com/outbox-sdk/outbox/blob/main/$2')
}

export default defineConfig({
  title: 'Outbox',
  description: 'An outbox for Java that you embed: messages leave when your transaction commits',
  outDir: '../target/site',
  cacheDir: '../target/vitepress',
  srcExclude: ['node_modules/**'],
  markdown: {
    anchor: { slugify: slug },
    config(md) {
      md.core.ruler.push('at-home', ({ tokens }) => {
        for (const token of tokens.flatMap((each) => each.children ?? [])) {
          if (token.type === 'link_open') {
            token.attrSet('href', atHome(token.attrGet('href') ?? ''))
          }
        }
      })
    },
  },
  themeConfig: {
    nav: [
      { text: 'Getting started', link: '/getting-started' },
      { text: 'Operate', link: '/operate' },
      { text: 'API', link: '/api/index.html', target: '_self' },
    ],
    sidebar,
    outline: [2, 3],
    search: { provider: 'local' },
  },
})
