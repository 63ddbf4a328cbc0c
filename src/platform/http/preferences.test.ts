import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readPreferences } from './preferences.ts'

describe('readPreferences', () => {
  const read = (header: string | string[] | undefined) => Object.fromEntries(readPreferences(header))

  test('returns names in lower case with their values', () => {
    assert.deepEqual(read('handling=lenient, Return=representation'), {
      handling: 'lenient',
      return: 'representation',
    })
    assert.deepEqual(read(['respond-async', 'wait=10']), { 'respond-async': '', wait: '10' })
  })

  test('reads quoted values and skips parameters', () => {
    assert.deepEqual(read('handling = "lenient"; a="x,y;z"; b, return="re\\present"'), {
      handling: 'lenient',
      return: 'represent',
    })
  })

  test('takes the first of several with one name', () => {
    assert.deepEqual(read('handling=strict, HANDLING=lenient'), { handling: 'strict' })
  })

  test('ignores what it cannot read, and an endless header', () => {
    assert.deepEqual(read('=lenient, (x), handling=lenient'), { handling: 'lenient' })
    assert.deepEqual(read(undefined), {})
    assert.deepEqual(read(''), {})
    assert.deepEqual(read(`${'a,'.repeat(600)}handling=lenient`), {})
  })

  test('comes to an end for a header that is made to take long', () => {
    for (const text of [
      `a${' '.repeat(990)}x`,
      `a;${'"'.repeat(991)}`,
      `a="${'\\'.repeat(990)}`,
      `a${';'.repeat(990)}"`,
    ]) {
      assert.deepEqual(read(text), {}, text.slice(0, 3))
    }
  })
})
