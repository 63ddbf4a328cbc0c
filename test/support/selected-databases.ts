import assert from 'node:assert/strict'

const ALL = ['sqlite', 'postgres'] as const

/** The engines to test on, from TEST_DATABASES (`sqlite,postgres`); all if it is not set. */
export function selectedDatabases(): readonly string[] {
  const names = process.env.TEST_DATABASES?.split(',').map((name) => name.trim()) ?? ALL
  for (const name of names) assert((ALL as readonly string[]).includes(name), `TEST_DATABASES knows no ${name}`)
  return names
}
