import assert from 'node:assert/strict'

const ALL: readonly string[] = ['sqlite', 'postgres']
/** Needs a cluster, which CITUS_URL names. */
const CITUS = 'citus'

/** The engines to test on, from TEST_DATABASES (`sqlite,postgres,citus`); SQLite and PostgreSQL if it is not set. */
export function selectedDatabases(): readonly string[] {
  const names = process.env.TEST_DATABASES?.split(',').map((name) => name.trim()) ?? ALL
  for (const name of names) assert([...ALL, CITUS].includes(name), `TEST_DATABASES knows no ${name}`)
  if (!names.includes(CITUS) || process.env.CITUS_URL !== undefined) return names
  process.stderr.write('Tests on Citus are skipped: CITUS_URL names no cluster.\n')
  return names.filter((name) => name !== CITUS)
}
