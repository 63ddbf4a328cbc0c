import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { en, type Key } from './en.ts'
import { fr } from './fr.ts'
import { withFrenchSpaces } from './french-spaces.ts'

const KEYS = Object.keys(en) as Key[]
const filledIn = (text: string) => [...new Set(text.match(/\{\{\w+\}\}/g))].sort()

describe('the texts', () => {
  test('have the same places to fill in, in both languages', () => {
    const different = KEYS.filter((key) => filledIn(en[key]).join() !== filledIn(fr[key]).join())

    assert.deepEqual(different, [])
  })

  test('have every plural in all its forms', () => {
    const forms = KEYS.filter((key) => key.endsWith('_one')).map((key) => key.slice(0, -'_one'.length))

    assert.ok(forms.length > 0)
    for (const form of forms) assert.ok(`${form}_other` in en && form in en, form)
  })

  test('are French with spaces that do not break before its punctuation', () => {
    const { why, note, percent } = withFrenchSpaces({
      why: 'Supprimer ? Oui !',
      note: 'Une trace : {{a}}',
      percent: '3 %',
    })

    assert.equal(why, 'Supprimer\u202f? Oui\u202f!')
    assert.equal(note, 'Une trace\u00a0: {{a}}')
    assert.equal(percent, '3\u00a0%')
  })

  test('have no straight apostrophes in French', () => {
    assert.deepEqual(
      KEYS.filter((key) => fr[key].includes("'")),
      [],
    )
  })
})
