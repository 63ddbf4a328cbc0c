// npm run rolling-upgrade -- --from v0.1.0 [--instances 2] [--seconds 60]: replaces the instances of an older version,
// a git revision or the folder of a built checkout, by those of the present one under load. No request may fail.
import { execFileSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { ownerWithEnd } from '../test/durability/faults/fault-installation.ts'
import { buildOlderProgram } from '../test/durability/rolling/older-program.ts'
import { type UpgradeStep, upgradeInstances } from '../test/durability/rolling/upgrade-instances.ts'
import { seededRandom } from '../test/durability/seeded-random.ts'

const { values } = parseArgs({
  options: {
    from: { type: 'string' },
    instances: { type: 'string', default: '2' },
    seconds: { type: 'string', default: '60' },
  },
})
const say = (line: string) => process.stdout.write(`${line}\n`)
const owner = ownerWithEnd()
try {
  const older = buildOlderProgram(owner, values.from ?? latestTag())
  const instances = Number(values.instances)
  const run = await upgradeInstances(owner, seededRandom({ diagnostic: say }), {
    older,
    instances,
    calmMs: (Number(values.seconds) * 1000) / (2 * instances + 1),
    phones: 3,
    publishers: 1,
    onStep: (step) => say(row(step)),
  })
  say(
    `${instances} instances of ${older.version} behind ${run.balancer}, ${availableParallelism()} cores: ${run.points} points of ` +
      `${run.tracks} tracks and ${run.publications} publications; nothing lost, doubled or damaged`,
  )
} catch (error) {
  say(`FAILED: ${(error as Error).stack}`)
  process.exitCode = 1
} finally {
  await owner.end()
}

function latestTag(): string {
  return execFileSync('git', ['describe', '--tags', '--abbrev=0', '--match', 'v*'], { encoding: 'utf8' }).trim()
}

function row({ name, requests, failed, slowestMs, durationMs }: UpgradeStep): string {
  return `| ${name} | ${seconds(durationMs)} | ${failed} of ${requests} requests failed; slowest answer ${seconds(slowestMs)} |`
}

function seconds(durationMs: number): string {
  return `${(durationMs / 1000).toFixed(1)} s`
}
