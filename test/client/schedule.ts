import fc from 'fast-check'
import { FAULT_NAMES } from './faulty-network.ts'

const PORTALS = FAULT_NAMES.filter((name) => name.includes('portal'))

/** One thing that happens to an app. */
export type Step =
  | { do: 'add'; good: number; bad: number; copies: number; from: 'app' | 'other page' }
  | { do: 'add again' }
  | { do: 'pause' | 'go on' | 'finish' | 'rename' }
  | { do: 'send' }
  | { do: 'send from both pages' }
  | { do: 'network'; faults: string[] }
  /** A portal answers so many requests. */
  | { do: 'portal'; fault: string; requests: number }
  /** The app stops the queue `after` so many operations, and perhaps sends again at once. */
  | { do: 'stop'; after: number; sendsAgain: boolean }
  /** The app or the other page discards the track `after` so many operations. */
  | { do: 'discard'; after: number; from: 'app' | 'other page' }
  | { do: 'pass'; ms: number }
  /** The process dies `after` so many operations, before or after the last has taken effect, and starts again. */
  | { do: 'kill'; after: number; isTooLate: boolean }
  | { do: 'set the clock'; byMs: number }
  | { do: 'fill the storage'; writes: number }
  | { do: 'exchange the token'; kind: 'valid' | 'other valid' | 'revoked' | 'foreign' }

/** What happens to one track, and how the server is asked. */
export type Schedule = {
  steps: Step[]
  maxPoints: number
  /** A second page uses the same storage. */
  isShared: boolean
  /** How the server answers invalid points: as it does, as without lenient handling, or without naming the points. */
  refusals: 'lenient' | 'strict' | 'wordless'
}

const count = (max: number, min = 0) => fc.integer({ min, max })

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      good: count(6),
      // The server names at most 20 errors.
      bad: fc.oneof(
        { weight: 24, arbitrary: fc.constant(0) },
        { weight: 6, arbitrary: count(3) },
        { weight: 1, arbitrary: count(26, 18) },
      ),
      copies: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, count(2)),
      from: fc.constantFrom('app' as const, 'other page' as const),
    }),
  },
  { weight: 1, arbitrary: fc.constant<Step>({ do: 'add again' }) },
  { weight: 2, arbitrary: fc.constantFrom<Step>({ do: 'pause' }, { do: 'go on' }, { do: 'finish' }, { do: 'rename' }) },
  { weight: 3, arbitrary: fc.constant<Step>({ do: 'send' }) },
  { weight: 1, arbitrary: fc.constant<Step>({ do: 'send from both pages' }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('network' as const),
      faults: fc.array(fc.constantFrom('none', ...FAULT_NAMES), { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('portal' as const),
      fault: fc.constantFrom(...PORTALS),
      requests: count(20, 1),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('stop' as const), after: count(14), sendsAgain: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('discard' as const),
      after: count(14),
      from: fc.constantFrom('app' as const, 'other page' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(1000, 30_000, 3_600_000) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('kill' as const), after: count(14), isTooLate: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('set the clock' as const),
      byMs: fc.constantFrom(-31_536_000_000, -3_600_000, -1000, 1000, 3_600_000, 31_536_000_000),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fill the storage' as const), writes: count(4, 1) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('exchange the token' as const),
      kind: fc.constantFrom('valid' as const, 'other valid' as const, 'revoked' as const, 'foreign' as const),
    }),
  },
)

/** Any schedule of at most so many steps. */
export function anySchedule(maxSteps: number): fc.Arbitrary<Schedule> {
  return fc.record({
    steps: fc.array(step, { minLength: 2, maxLength: maxSteps }),
    maxPoints: fc.oneof({ weight: 4, arbitrary: fc.constant(2000) }, { weight: 1, arbitrary: fc.constantFrom(1, 3) }),
    isShared: fc.boolean(),
    refusals: fc.oneof(
      { weight: 3, arbitrary: fc.constant('lenient' as const) },
      { weight: 1, arbitrary: fc.constantFrom('strict' as const, 'wordless' as const) },
    ),
  })
}
