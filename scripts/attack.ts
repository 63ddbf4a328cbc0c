// npm run attack [-- --postgres] [-- --phones 5000] [-- <word> …]: attacks servers of its own at full size and prints
// which attacks held. With words, it runs only files whose name contains one of them. --phones is for large-event.

import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { attackTable, findAttacks, runAttacks } from './attack/run-attacks.ts'

const { values: options, positionals: words } = parseArgs({
  options: { postgres: { type: 'boolean', default: false }, phones: { type: 'string' } },
  allowPositionals: true,
})
if (options.phones !== undefined) {
  if (!/^[1-9]\d{0,5}$/.test(options.phones)) {
    process.stderr.write('--phones must be a whole number from 1 to 999999\n')
    process.exit(1)
  }
  process.env.ATTACK_PHONES = options.phones
}
const files = findAttacks(words)
if (files.length === 0) {
  process.stderr.write(`No attack is named ${words.join(' or ')}.\n`)
  process.exit(1)
}

const engine = options.postgres ? 'PostgreSQL' : 'SQLite'
process.stdout.write(`${files.length} files of attacks on ${engine}, ${availableParallelism()} cores\n`)
const results = await runAttacks(files, {
  database: options.postgres ? 'postgres' : 'sqlite',
  onResult: ({ name, isHeld }) => process.stdout.write(`${isHeld ? 'held' : 'DID NOT HOLD'}: ${name}\n`),
})
process.stdout.write(attackTable(results))
if (results.length === 0 || results.some(({ isHeld }) => !isHeld)) process.exitCode = 1
