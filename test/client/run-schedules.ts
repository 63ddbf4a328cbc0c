import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import { type Figures, noFigures, runSchedule } from './run-schedule.ts'
import { anySchedule, type Schedule } from './schedule.ts'
import type { ScheduleServer } from './schedule-server.ts'

/** Schedules that run at the same time and share the server's writes to disk. */
const AT_ONCE = 100

type Options = {
  count: number
  /** Steps of the longest schedule. */
  maxSteps: number
  /** The same seed gives the same schedules. */
  seed?: number
  /** Called after each hundred. */
  onProgress?: (done: number, figures: Figures) => void
}

/**
 * Runs random schedules, each with a track of its own.
 * @param server returns the server of the next schedules
 * @throws Error that shows the seed and the shortest schedule that fails
 */
export async function runSchedules(
  server: () => ScheduleServer,
  { count, maxSteps, seed = randomInt(2 ** 31), onProgress }: Options,
): Promise<Figures & { schedules: number; seed: number }> {
  const schedule = anySchedule(maxSteps)
  const total = noFigures()
  for (let done = 0; done < count; done += AT_ONCE) {
    const size = Math.min(AT_ONCE, count - done)
    const schedules = fc.sample(schedule, { numRuns: size, seed: seed + done })
    const outcomes = await Promise.allSettled(
      schedules.map((one, at) => runSchedule(server(), one, `${seed}-${done + at}`)),
    )
    for (const [at, outcome] of outcomes.entries()) {
      if (outcome.status === 'rejected') {
        process.stderr.write(
          `seed ${seed}, schedule ${done + at}: ${outcome.reason}\n${JSON.stringify(schedules[at])}\n`,
        )
        await shrink(server(), schedule, schedules[at], `${seed}-${done + at}-shrunk`)
        throw outcome.reason
      }
      for (const name of Object.keys(total) as (keyof Figures)[]) total[name] += outcome.value[name]
    }
    onProgress?.(done + size, total)
  }
  return { ...total, schedules: count, seed }
}

/** Fails with the shortest schedule that fails as well. Does nothing if the schedule does not fail again. */
async function shrink(
  server: ScheduleServer,
  schedules: fc.Arbitrary<Schedule>,
  failing: Schedule,
  name: string,
): Promise<void> {
  let runs = 0
  const property = fc.asyncProperty(schedules, async (schedule) => {
    runs++
    await runSchedule(server, schedule, `${name}-${runs}`)
  })
  await fc.assert(property, { examples: [[failing]], numRuns: 1 })
}
