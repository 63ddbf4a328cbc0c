import { fileVariable, type SettingsTable } from '#platform/basics/config.ts'

/** Writes `docs/configuration.md`: every setting of every service. */
export function configurationPage(tables: Record<string, SettingsTable>): string {
  const parts = Object.entries(tables).map(([name, table]) => `## ${name}\n\n${settingsList(table)}`)
  return `# Configuration

Every setting is an environment variable with a default. An empty variable counts as unset. Settings are read once, at
startup. If any is invalid, the program lists all invalid settings and exits before it opens a port.

A secret can also be in a file, such as one that Docker, Kubernetes or systemd provides. The variable with \`_FILE\` at the end of
its name, such as \`SECRET_KEY_FILE\`, has the path. A line break at the end of the file does not count. Setting both variables is an
error, and so is a file that is empty or cannot be read.

\`npm run docs\` writes this page from the tables in \`src/config.ts\` and the \`config.ts\` of each
service. \`.env.example\` has the same variables. The program does not read such files; pass them with \`node --env-file\`,
Docker or systemd.

${parts.join('\n')}`
}

function settingsList(table: SettingsTable): string {
  return Object.values(table)
    .map((setting) => {
      const { env, fallback, doc } = setting
      const file = fileVariable(setting)
      const standing = fallback === '' ? 'Empty by default.' : `Default: \`${fallback}\`.`
      return `### \`${env}\`\n\n${doc}\n\n${standing}${file === undefined ? '' : ` Secret: never printed. \`${file}\` names a file with the value.`}\n`
    })
    .join('\n')
}

const WIDTH = 100

/** Writes `.env.example`: every variable with its explanation, commented out because the defaults work. */
export function environmentExample(tables: Record<string, SettingsTable>): string {
  const parts = Object.entries(tables).map(([name, table]) => {
    const settings = Object.values(table).map((setting) => {
      const file = fileVariable(setting)
      const inFile = file === undefined ? '' : `#${file}=\n`
      return `${comment(setting.doc)}\n#${setting.env}=${setting.fallback}\n${inFile}`
    })
    return `# --- ${name} ---\n\n${settings.join('\n')}`
  })
  return `# All settings with their defaults, written by npm run docs. See docs/configuration.md.\n\n${parts.join('\n')}`
}

function comment(text: string): string {
  const lines = ['#']
  for (const word of text.split(' ')) {
    if (lines[lines.length - 1].length + 1 + word.length > WIDTH) lines.push('#')
    lines[lines.length - 1] += ` ${word}`
  }
  return lines.join('\n')
}
