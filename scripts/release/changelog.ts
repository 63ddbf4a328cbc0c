const UNRELEASED = /^## Unreleased\n(.*?)(?=^## |$(?![\s\S]))/ms

/** Returns the text under "Unreleased", or an empty string. */
export function unreleasedChanges(changelog: string): string {
  return UNRELEASED.exec(changelog)?.[1].trim() ?? ''
}

/** Moves the text under "Unreleased" to a section for the version, and leaves an empty "Unreleased" above it. */
export function dateUnreleased(changelog: string, version: string, date: string): string {
  return changelog.replace(/^## Unreleased\n/m, `## Unreleased\n\n## ${version}, ${date}\n`)
}
