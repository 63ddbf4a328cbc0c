import type { SettingsTable } from '#platform/config.ts'

/** `docs/configuration.md`: every setting of every part. */
export function configurationPage(tables: Record<string, SettingsTable>): string {
  const parts = Object.entries(tables).map(([name, table]) => `## ${name}\n\n${settingsList(table)}`)
  return `# Configuration

Every setting is an environment variable, and none is needed to start. An empty variable counts as unset. Settings are
read once, at the start; if any is not usable, the program names all that are wrong and ends before it opens a port.

This page is written by \`npm run docs\` from the tables in \`src/platform/platform-config.ts\` and
in \`config.ts\` of each part. The same variables stand in \`.env.example\`; the program itself reads no such file, but
\`node --env-file\`, Docker and systemd do.

${parts.join('\n')}`
}

function settingsList(table: SettingsTable): string {
  return Object.values(table)
    .map(({ env, fallback, doc, secret }) => {
      const standing = fallback === '' ? 'Empty by default.' : `Default: \`${fallback}\`.`
      return `### \`${env}\`\n\n${doc}\n\n${standing}${secret === true ? ' A secret: it is never printed.' : ''}\n`
    })
    .join('\n')
}
