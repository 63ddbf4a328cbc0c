// npm run faults [-- --minutes 5] [-- --instances 3]: puts an installation under load through faults, and checks that
// nothing acknowledged is lost, stored twice or damaged.
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { ownerWithEnd } from '../test/durability/faults/fault-installation.ts'
import { FAULTS } from '../test/durability/faults/list-faults.ts'
import { type FaultOutcome, runFaults } from '../test/durability/faults/run-faults.ts'
import { seededRandom } from '../test/durability/seeded-random.ts'

/** Time that a lasting fault is kept up: longer than all time limits of the program. */
const HOLD_MS = 20_000
const LEAST_CALM_MS = 5_000

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '5' }, instances: { type: 'string', default: '3' } },
})
const say = (line: string) => process.stdout.write(`${line}\n`)
const owner = ownerWithEnd()
try {
  const share = (Number(values.minutes) * 60_000) / FAULTS.length
  const run = await runFaults(owner, seededRandom({ diagnostic: say }), {
    instances: Number(values.instances),
    faults: FAULTS,
    holdMs: HOLD_MS,
    calmMs: Math.max(LEAST_CALM_MS, share - HOLD_MS),
    phones: 6,
    publishers: 2,
    onOutcome: (outcome) => say(row(outcome)),
  })
  say(
    `${values.instances} instances behind ${run.balancer}, files in ${run.s3}, ${availableParallelism()} cores: ` +
      `${run.points} points of ${run.tracks} tracks and ${run.publications} publications; nothing lost, doubled or damaged`,
  )
} catch (error) {
  say(`FAILED: ${(error as Error).stack}`)
  process.exitCode = 1
} finally {
  await owner.end()
}

function row({ name, requests, failed, longestOutageMs, slowestMs, recoveryMs }: FaultOutcome): string {
  return (
    `| ${name} | ${failed} of ${requests} requests failed; longest failure ${seconds(longestOutageMs)}, ` +
    `slowest answer ${seconds(slowestMs)} | ${seconds(recoveryMs)} |`
  )
}

function seconds(durationMs: number): string {
  return `${(durationMs / 1000).toFixed(1)} s`
}
