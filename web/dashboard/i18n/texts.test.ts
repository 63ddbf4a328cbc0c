import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { en } from './en.ts'
import { fr } from './fr.ts'
import { withFrenchSpaces } from './french-spaces.ts'

const english: Record<string, string> = en
const french: Record<string, string> = fr
const placeholders = (text: string) => [...new Set(text.match(/\{\{\w+\}\}/g))].sort().join()
const FORM = /_(one|many|other)$/

describe('the texts', () => {
  test('have the same placeholders in both languages, but for the number of the singular', () => {
    const different = Object.keys(english).filter(
      (key) => !key.endsWith('_one') && placeholders(english[key]) !== placeholders(french[key]),
    )

    assert.deepEqual(different, [])
  })

  test('have keys of their own, so that no part of the dashboard replaces the texts of another', () => {
    const keys = globSync('en/**/*.ts', { cwd: import.meta.dirname }).flatMap((file) => {
      const source = readFileSync(`${import.meta.dirname}/${file}`, 'utf8')
      return [...source.matchAll(/^ {2}'([\w.-]+)':/gm)].map(([, key]) => key)
    })

    assert.deepEqual(
      keys.filter((key, at) => keys.indexOf(key) !== at),
      [],
    )
    assert.equal(keys.length, Object.keys(english).length)
  })

  for (const [language, texts] of [
    ['en', english],
    ['fr', french],
  ] as const) {
    test(`have every plural in all forms of ${language}`, () => {
      const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
      const forms = Map.groupBy(
        Object.keys(texts).filter((key) => FORM.test(key)),
        (key) => key.replace(FORM, ''),
      )

      assert.ok(forms.size > 10)
      for (const [key, held] of forms) {
        assert.deepEqual(held.sort(), pluralCategories.map((category) => `${key}_${category}`).sort())
      }
    })
  }

  test('have no "de" after a figure in digits in French: 1 000 000 traces', () => {
    const wrong = Object.entries(french).filter(([, text]) => /\{\{(figure|count)\}\} (de |d’)/.test(text))

    assert.deepEqual(wrong, [])
  })

  test('have French spaces that do not break before punctuation', () => {
    const { why, note, percent } = withFrenchSpaces({
      why: 'Supprimer ? Oui !',
      note: 'Une trace : {{a}}',
      percent: '3 %',
    })

    assert.equal(why, 'Supprimer\u202f? Oui\u202f!')
    assert.equal(note, 'Une trace\u00a0: {{a}}')
    assert.equal(percent, '3\u00a0%')
  })

  test('have no straight apostrophes and no three dots', () => {
    for (const [key, text] of [...Object.entries(english), ...Object.entries(french)]) {
      assert.ok(!/'|\.\.\./.test(text), `${key}: ${text}`)
    }
  })
})
