import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { documentLanguage, languageProblem, parseStatements, shownStatements, titleFromFile } from './fields.ts'

describe('languageProblem', () => {
  test('refuses a text that is no language tag', () => {
    assert.equal(languageProblem('fr-CH'), undefined)
    assert.equal(languageProblem(''), undefined)
    for (const text of ['French (Switzerland)', 'German']) assert.match(languageProblem(text)!, /language tag/)
  })
})

describe('parseStatements', () => {
  test('keeps what is not given out, and returns to the file for an empty text', () => {
    assert.deepEqual(parseStatements({ author: ' Ada ', description: '' }), { author: 'Ada', description: null })
    assert.deepEqual(parseStatements({ language: 'de_ch', author: null }), { language: 'de-CH' })
  })
})

describe('shownStatements', () => {
  test('prefers what the publisher says to what the file says', () => {
    const facts = { language: 'en_us', metadata: { author: 'Word', subject: 'Of the file' } }

    assert.deepEqual(shownStatements({ language: null, author: 'Ada', description: null }, facts), {
      language: 'en-US',
      author: 'Ada',
      description: 'Of the file',
    })
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

describe('titleFromFile', () => {
  for (const stated of ['Annual Report 2026', 'Document of the year', 'Rapport annuel']) {
    test(`takes ${stated} from the file`, () => assert.equal(titleFromFile(` ${stated} `, 'scan-7'), stated))
  }

  const empty = ['', ' ', 'Untitled', 'untitled-1', 'Sans titre 2', 'Microsoft Word - plan.doc', 'report.indd']
  for (const stated of [undefined, ...empty, 'Document1', 'x'.repeat(600)]) {
    test(`does not take ${JSON.stringify(stated)?.slice(0, 40)}`, () => {
      assert.equal(titleFromFile(stated, 'scan-7'), 'scan-7')
    })
  }
})
