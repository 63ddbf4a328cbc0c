import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { languageProblem, parseStatements, shownStatements } from './statements.ts'

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
