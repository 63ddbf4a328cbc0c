const MIGRATION = /^src\/([a-z]+)\/migrations\/(\d{4}-[a-z0-9-]+)\.ts$/

/**
 * Lists the migrations that the latest release did not have, such as `tracks/0004-add-weather`. Before the first
 * release there is no database to migrate, so none counts as new.
 */
export function newMigrations(git: (...args: string[]) => string): string[] {
  const latest = git('tag', '--list', 'v*', '--sort=-version:refname').split('\n')[0]
  if (latest === '') return []
  const released = migrationsOf(latest)
  return migrationsOf('HEAD').filter((migration) => !released.includes(migration))

  function migrationsOf(commit: string): string[] {
    return git('ls-tree', '-r', '--name-only', commit, 'src').split('\n').flatMap(migrationName)
  }
}

function migrationName(path: string): string[] {
  const found = MIGRATION.exec(path)
  return found === null ? [] : [`${found[1]}/${found[2]}`]
}
