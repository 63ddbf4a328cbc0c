import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findHostileText } from './support/hostile-text.ts'
import { readExpressions } from './support/read-expressions.ts'

/**
 * Expressions that take more than linear time, or that only a run can know, by how they begin, and what bounds them:
 * where the text comes from, or how long it may be.
 */
const BOUNDED: Record<string, string> = {
  'src/platform/http/negotiation.ts /\\s*([!#$': 'ignores a header of more than 1,000 characters',
  'src/platform/http/unknown-routes.ts new RegExp(`^${source}$`)': 'is made of a route, and [^/]+ between slashes',
  'src/tracks/share-pages/share-page.ts /\\/\\*.*?\\*\\//gs': 'reads the stylesheet of the program',
  'src/tracks/share-pages/share-page.ts /\\s*\\n\\s*/g': 'reads the stylesheet of the program',
}

describe('regular expressions', () => {
  test('take linear time for any text, or are listed with what bounds them', () => {
    const expressions = readExpressions()
    const unused = new Set(Object.keys(BOUNDED))

    const wrong = expressions.flatMap(({ file, text, expression }) => {
      const bound = Object.keys(BOUNDED).find((listed) => `${file} ${text}`.startsWith(listed))
      if (bound !== undefined) {
        unused.delete(bound)
        return []
      }
      if (expression === undefined) return [`${file}: ${text} is not made of constants`]
      const found = findHostileText(expression)
      return found === undefined ? [] : [`${file}: ${text} takes ${JSON.stringify(found)}`]
    })

    assert.ok(expressions.length > 200, `${expressions.length} found`)
    assert.deepEqual([wrong, [...unused]], [[], []])
  })

  test('of known attacks are found, and the same in linear time are not', () => {
    const slow = [
      /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i,
      /^(a+)+$/,
      /(x+x+)+y/,
      /\s+$/,
      /"(?:[^"\\]|\\.)*"/g,
      /<script.*?<\/script>/gs,
      /^\d+1337\d+$/,
      /^a*b?a*$/,
      /\d+(?=px)/g,
    ]
    const linear = [/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i, /^a+$/, /(?<!\s)\s+$/, /^[^,]*,[^,]*$/]

    const missed = slow.filter((expression) => findHostileText(expression) === undefined)
    const mistaken = linear.filter((expression) => findHostileText(expression) !== undefined)

    assert.deepEqual([missed, mistaken], [[], []])
  })
})
