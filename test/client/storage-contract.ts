import type { Change, QueueStorage } from '../../clients/typescript/src/storage/queue-storage.ts'

// The rules of a storage, as a function that a browser can run too.

/** One rule, with what breaks it; undefined if nothing does. */
type Rule = { name: string; check(open: () => Promise<QueueStorage>): Promise<string | undefined> }

const same = (found: unknown, expected: unknown): string | undefined => {
  const [a, b] = [JSON.stringify(found), JSON.stringify(expected)]
  return a === b ? undefined : `${a} instead of ${b}`
}

/** Each rule opens storage of its own, and may open the same storage again. */
export const STORAGE_RULES: readonly Rule[] = [
  {
    name: 'returns rows of a range in the order of their keys',
    async check(open) {
      const storage = await open()
      await storage.write([
        ['b2', 'two'],
        ['b10', 'ten'],
        ['a', 'first'],
        ['c', 'last'],
      ])
      return same(
        [await storage.read('a', 'c', 10), await storage.read('b', 'c', 1), await storage.read('d', 'e', 1)],
        [
          [
            ['a', 'first'],
            ['b10', 'ten'],
            ['b2', 'two'],
          ],
          [['b10', 'ten']],
          [],
        ],
      )
    },
  },
  {
    name: 'keeps values exactly',
    async check(open) {
      const storage = await open()
      const value = '{"title":"Été \\u0000 \ud83c\udfd4 \'quoted\' \\"","n":0.1}'
      await storage.write([
        ['a', value],
        ['b', ''],
      ])
      return same(await storage.read('a', 'c', 10), [
        ['a', value],
        ['b', ''],
      ])
    },
  },
  {
    name: 'replaces and removes',
    async check(open) {
      const storage = await open()
      await storage.write([
        ['a', '1'],
        ['b', '2'],
        ['c', '3'],
      ])
      await storage.write([
        ['a', null],
        ['b', '4'],
        ['d', null],
        ['e', '5'],
      ])
      return same(await storage.read('a', 'z', 10), [
        ['b', '4'],
        ['c', '3'],
        ['e', '5'],
      ])
    },
  },
  {
    name: 'writes only where the expected value stands',
    async check(open) {
      const storage = await open()
      const outcomes = [
        await storage.write([['a', '1']], [['k', null]]),
        await storage.write([['k', 'v']], [['k', null]]),
        await storage.write([['a', '2']], [['k', null]]),
        await storage.write([['a', '3']], [['k', 'w']]),
        await storage.write(
          [
            ['a', '4'],
            ['k', null],
          ],
          [['k', 'v']],
        ),
        await storage.write([['b', '5']], [['k', null]]),
      ]
      return same(
        [outcomes, await storage.read('a', 'z', 10)],
        [
          [true, true, false, false, true, true],
          [
            ['a', '4'],
            ['b', '5'],
          ],
        ],
      )
    },
  },
  {
    name: 'writes only where all expected values stand',
    async check(open) {
      const storage = await open()
      const value = '{"title":"L\'été \\u0000 \\"x\\""}'
      await storage.write([
        ['k', value],
        ['l', 'w'],
      ])
      const expectations: Change[][] = [
        [
          ['k', value],
          ['l', null],
        ],
        [
          ['k', null],
          ['l', 'w'],
        ],
        [
          ['l', 'w'],
          ['k', value],
          ['m', null],
        ],
        [],
      ]
      const outcomes: boolean[] = []
      for (const [at, expected] of expectations.entries())
        outcomes.push(await storage.write([[`n${at}`, '1']], expected))
      return same(
        [outcomes, (await storage.read('n', 'o', 10)).map(([key]) => key)],
        [
          [false, false, true, true],
          ['n2', 'n3'],
        ],
      )
    },
  },
  {
    name: 'lets one of many writers through who expect the same',
    async check(open) {
      const [one, other] = [await open(), await open()]
      await one.write([['k', '0']])
      const writers = Array.from({ length: 20 }, (_, i): [QueueStorage, Change[]] => [
        i % 2 ? one : other,
        [['k', `w${i}`]],
      ])
      const outcomes = await Promise.all(writers.map(([storage, changes]) => storage.write(changes, [['k', '0']])))
      return same(outcomes.filter(Boolean).length, 1)
    },
  },
  {
    name: 'keeps what was written for those who open it later',
    async check(open) {
      const value = 'x'.repeat(300_000)
      await (await open()).write([
        ['a', value],
        ['b', '2'],
      ])
      return same(await (await open()).read('a', 'z', 10), [
        ['a', value],
        ['b', '2'],
      ])
    },
  },
]
