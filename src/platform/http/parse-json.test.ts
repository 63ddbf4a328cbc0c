import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { AppError } from '../basics/errors.ts'
import { parseJson } from './parse-json.ts'

function parse(text: string): unknown {
  return parseJson(Buffer.from(text))
}

/** Returns the message of the error for a refused body. */
function refusalOf(body: string | Buffer): string | undefined {
  try {
    parseJson(Buffer.from(body))
  } catch (error) {
    assert.ok(error instanceof AppError && error.status === 400, String(error))
    return error.message
  }
  return undefined
}

describe('parseJson', () => {
  test('returns what JSON.parse returns', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent)

        assert.deepEqual(parse(text), JSON.parse(text))
      }),
    )
  })

  test('refuses exactly what JSON.parse refuses', () => {
    const pieces = ['{', '}', '[', ']', ',', ':', '"', '\\', 'u00e9', '0', '1', '-', '+', '.', 'e', 'null', 'true', ' ']
    const piece = fc.constantFrom(...pieces, '\n', '\t', '\u0001', '"a"', '"a":', 'é', '\u00a0', '[1,2]', '{"a":1}')
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 8 }), (parts) => {
        const text = parts.join('')
        let isJson = true
        try {
          JSON.parse(text)
        } catch {
          isJson = false
        }

        assert.equal(refusalOf(text) === undefined, isJson)
      }),
      { numRuns: 2000 },
    )
  })

  test('refuses an empty body', () => {
    assert.equal(refusalOf(''), 'The body is empty, and must be JSON.')
    assert.equal(refusalOf('\ufeff'), 'The body is empty, and must be JSON.')
  })

  test('skips a byte order mark', () => {
    assert.deepEqual(parse('\ufeff{"a":1}'), { a: 1 })
    assert.match(refusalOf('\ufeff\ufeff{}') ?? '', /unexpected character at line 1, column 1/)
  })

  test('refuses bytes that are not UTF-8', () => {
    assert.equal(refusalOf(Buffer.from('{"a":"\xe9"}', 'latin1')), 'The body is not valid UTF-8.')
    assert.equal(refusalOf(Buffer.from('22eda08022', 'hex')), 'The body is not valid UTF-8.')
  })

  for (const [text, place] of [
    ['{"a":1,}', 'line 1, column 8'],
    ['{"a":1\n "b":2}', 'line 2, column 2'],
    ['{"é€😀": nul}', 'line 1, column 12'],
    ['[1,\n2,\n03]', 'line 3, column 2'],
    ['\n\r\n\n x', 'line 4, column 2'],
    ['["é\\n"\n\n, é]', 'line 3, column 3'],
    ['{a:1}', 'line 1, column 2'],
    ["['a']", 'line 1, column 2'],
    ['[1] x', 'line 1, column 5'],
    ['["\\x"]', 'line 1, column 4'],
    ['["\\u00g0"]', 'line 1, column 7'],
    ['["a\nb"]', 'line 1, column 4'],
    ['[NaN]', 'line 1, column 2'],
    ['[.5]', 'line 1, column 2'],
    ['[5.]', 'line 1, column 4'],
    ['[+1]', 'line 1, column 2'],
    ['[1e]', 'line 1, column 4'],
    ['<html>', 'line 1, column 1'],
  ]) {
    test(`reports where ${JSON.stringify(text)} stops being JSON`, () => {
      assert.equal(refusalOf(text), `The body is not valid JSON: unexpected character at ${place}.`)
    })
  }

  test('reports that a truncated body ends too early', () => {
    const text = '{"points": [{"a": "\\u00e9", "b": [true, -1.5e+3, null]}]}'
    for (let length = 1; length < text.length; length++) {
      assert.equal(refusalOf(text.slice(0, length)), 'The body is not valid JSON: it ends too early.')
    }
  })

  test('reports the body itself as the wrong field', () => {
    assert.throws(
      () => parse('{'),
      (error) => {
        assert.ok(error instanceof AppError)
        assert.equal(error.code, 'BAD_REQUEST')
        assert.deepEqual(error.options.errors, [{ path: '', message: 'is not valid JSON: it ends too early' }])
        return true
      },
    )
  })

  test('accepts 64 levels and refuses more', () => {
    assert.doesNotThrow(() => parse('['.repeat(64) + ']'.repeat(64)))
    assert.equal(refusalOf('['.repeat(65) + ']'.repeat(65)), 'The body is nested deeper than 64 levels.')
    assert.equal(refusalOf('{"a":'.repeat(5_000_000)), 'The body is nested deeper than 64 levels.')
  })

  test('counts only open levels, outside strings', () => {
    assert.doesNotThrow(() => parse(JSON.stringify(['['.repeat(100), '"'.repeat(100), '\\'.repeat(99)])))
    assert.doesNotThrow(() => parse(`[${'[],'.repeat(100)}[]]`))
  })

  test('accepts 50,000 values and refuses more', () => {
    const zeros = (count: number) => `[${'0,'.repeat(count - 1)}0]`

    assert.doesNotThrow(() => parse(zeros(49_999)))
    assert.equal(refusalOf(zeros(50_000)), 'The body holds more than 50000 values.')
    assert.equal(refusalOf(`[${'{ },'.repeat(49_999)}{}]`), 'The body holds more than 50000 values.')
    assert.equal(refusalOf(`[${'{"a":0},'.repeat(24_999)}{"a":0}]`), 'The body holds more than 50000 values.')
    assert.doesNotThrow(() => parse(`[${'{ },'.repeat(49_998)}{}]`))
  })

  test('accepts as many values as the caller lets it', () => {
    assert.doesNotThrow(() => parseJson(Buffer.from('[1,2]'), { maxValues: 3 }))
    assert.throws(() => parseJson(Buffer.from('[1,2,3]'), { maxValues: 3 }), {
      message: 'The body holds more than 3 values.',
    })
    assert.doesNotThrow(() => parseJson(Buffer.from('[{"a":":"},2]'), { maxValues: 9, maxMembers: 1 }))
    assert.throws(() => parseJson(Buffer.from('[{"a":1},{"b":2}]'), { maxValues: 9, maxMembers: 1 }), {
      message: 'The body holds more than 1 members of objects.',
    })
  })

  test('accepts as many escapes as the caller lets it, in strings and keys', () => {
    assert.doesNotThrow(() => parseJson(Buffer.from('{"\\"":"\\\\\\u00e9"}'), { maxEscapes: 3 }))
    for (const text of ['["\\"\\"","\\\\\\n"]', '{"\\"\\"":"\\u00e9","\\n":1}'])
      assert.throws(() => parseJson(Buffer.from(text), { maxEscapes: 3 }), {
        message: 'The body holds more than 3 escapes.',
      })
  })

  for (const text of [
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '"\\uD83Dx"',
    '"\\ud83d\\u0041"',
    '"\\ud83d\\n"',
    '{"\\udfff":1}',
  ]) {
    test(`refuses half a surrogate pair, as in ${text}`, () => {
      assert.match(refusalOf(`[1,\n ${text}]`) ?? '', /^The body must not contain half a surrogate pair, as at line 2/)
    })
  }

  test('refuses U+0000 in a string or key', () => {
    assert.match(refusalOf('["a\\u0000b"]') ?? '', /U\+0000, as at line 1, column 4/)
    assert.match(refusalOf('{"a":{"\\u0000":1}}') ?? '', /U\+0000/)
  })

  test('refuses unusable text in a value that a repeated key replaces', () => {
    assert.match(refusalOf('{"a":"\\ud800","a":1}') ?? '', /surrogate/)
  })

  test('accepts whole surrogate pairs, and an escaped backslash before text that looks like an escape', () => {
    assert.deepEqual(parse('["\\ud83d\\uDE00", "\\\\ud800", "\\\\\\\\u0000", "\\u0001"]'), [
      '😀',
      '\\ud800',
      '\\\\u0000',
      '\u0001',
    ])
  })

  test('finds every lone surrogate and every U+0000, however the text is escaped', () => {
    const unit = fc.constantFrom(
      'a',
      '\\',
      '"',
      '\u0000',
      '\u0001',
      '\ud800',
      '\udbff',
      '\udc00',
      '\udfff',
      'é',
      '\ud7ff',
    )
    fc.assert(
      fc.property(fc.array(unit), (units) => {
        const value = units.join('')
        const escaped = value.replace(/[^a]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)

        assert.equal(refusalOf(`"${escaped}"`) === undefined, value.isWellFormed() && !value.includes('\u0000'))
      }),
    )
  })

  test('uses the last value of a repeated key', () => {
    assert.deepEqual(parse('{"a":1,"a":2}'), { a: 2 })
  })

  test('treats __proto__ as an ordinary key', () => {
    const value = parse('{"__proto__":{"admin":true},"constructor":1}') as { admin?: boolean }

    assert.equal(value.admin, undefined)
    assert.deepEqual(Object.keys(value), ['__proto__', 'constructor'])
    assert.equal(({} as { admin?: boolean }).admin, undefined)
  })
})
