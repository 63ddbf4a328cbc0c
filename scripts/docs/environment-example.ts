import { fileVariable, type SettingsTable } from '#platform/config.ts'

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
