import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  changedStatements,
  documentLanguage,
  languageProblem,
  NO_STATEMENTS,
  shownStatements,
  statementConflicts,
  turnsRightToLeft,
} from './statements.ts'

describe('languageProblem', () => {
  test('refuses a text that is no language tag', () => {
    assert.equal(languageProblem('fr-CH'), undefined)
    assert.equal(languageProblem(''), undefined)
    for (const text of ['French (Switzerland)', 'German']) assert.match(languageProblem(text)!, /language tag/)
  })
})

const FACTS = { language: 'en_us', metadata: { author: 'SE:W:CAR:MP', subject: 'Of the file' } }
const after = (...changes: Parameters<typeof changedStatements>[1][]) =>
  shownStatements(changes.reduce(changedStatements, NO_STATEMENTS), FACTS)

describe('changedStatements', () => {
  test('takes nothing but the language from the file unasked', () => {
    assert.deepEqual(after({}), { language: 'en-US', author: null, description: null })
  })

  test('takes the statements of the file where it is asked to, and no longer once others are stated', () => {
    const asked = { author_from_file: true, description_from_file: true }

    assert.deepEqual(after(asked), { language: 'en-US', author: 'SE:W:CAR:MP', description: 'Of the file' })
    assert.deepEqual(after(asked, { author: ' Ada ', description: '' }), {
      language: 'en-US',
      author: 'Ada',
      description: null,
    })
    assert.equal(after({ author: 'Ada' }, { author_from_file: true }).author, 'SE:W:CAR:MP')
  })

  test('an empty text is none and stays none', () => {
    const none = { language: null, author: null, description: null }

    assert.deepEqual(after({ language: '', author: '', description: '' }, {}), none)
    assert.deepEqual(after({ language: 'fr', author: 'Ada' }, { language: ' ', author: ' ' }), none)
  })

  test('absent and null members leave a statement as it is', () => {
    const stated = { language: 'de_ch', author: 'Ada', description: 'In short.' }

    assert.deepEqual(after(stated, { language: null, author: null, author_from_file: null }, {}), {
      ...stated,
      language: 'de-CH',
    })
  })

  test('what is no longer to be taken from the file is none, and what is stated stays', () => {
    const no = { language_from_file: false, author_from_file: false }

    assert.deepEqual(after({ author_from_file: true }, no), { language: null, author: null, description: null })
    assert.deepEqual(after({ language: 'fr', author: 'Ada' }, no), { language: 'fr', author: 'Ada', description: null })
  })
})

describe('shownStatements', () => {
  test('takes the language that the text is in where neither the publisher nor the file states one', () => {
    const detected = { detectedLanguage: 'fr' }
    const of = (language: string | null, facts: object) =>
      shownStatements({ ...NO_STATEMENTS, language }, { ...detected, ...facts }).language

    assert.equal(of(null, {}), 'fr')
    assert.equal(of(null, { language: 'German (Switzerland)' }), 'fr')
    assert.equal(of(null, { language: 'de' }), 'de')
    assert.equal(of('it', {}), 'it')
    assert.equal(of('', {}), null)
  })
})

describe('turnsRightToLeft', () => {
  test('follows the file, or else the language', () => {
    const of = (language: string, facts: object) => turnsRightToLeft({ ...NO_STATEMENTS, language }, facts)

    assert.equal(of('ja', { isRightToLeft: true }), true)
    assert.equal(of('ja', {}), false)
    assert.equal(of('he-IL', {}), true)
    assert.equal(of('az-Arab', {}), true)
    assert.equal(of('', { detectedLanguage: 'ar' }), false)
    assert.equal(turnsRightToLeft(NO_STATEMENTS, { detectedLanguage: 'ar' }), true)
    assert.equal(of('x-dialect', {}), false)
  })
})

describe('statementConflicts', () => {
  test('names what is stated and to be taken from the file at once', () => {
    const conflicts = statementConflicts({
      author: 'Ada',
      author_from_file: true,
      language: '',
      language_from_file: true,
    })

    assert.deepEqual(
      conflicts.map(({ path }) => path),
      ['author_from_file'],
    )
  })
})

describe('documentLanguage', () => {
  test('returns the canonical tag', () => {
    assert.equal(documentLanguage('de-ch'), 'de-CH')
    assert.equal(documentLanguage('en_US'), 'en-US')
    assert.equal(documentLanguage('ZH-hant-tw'), 'zh-Hant-TW')
  })

  test('returns undefined for an invalid tag', () => {
    for (const tag of [undefined, '', '"><script>', 'de ch', 'a', '💥', 'English (US)']) {
      assert.equal(documentLanguage(tag), undefined)
    }
  })
})
