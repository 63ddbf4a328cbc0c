import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { interfaceLanguage } from './interface-texts.ts'

describe('interfaceLanguage', () => {
  for (const [header, language] of [
    [undefined, 'en'],
    ['', 'en'],
    ['fr', 'fr'],
    ['fr-CH, fr;q=0.9, en;q=0.8', 'fr'],
    ['en-GB,en;q=0.9,fr;q=0.8', 'en'],
    ['de, fr;q=0.5, en;q=0.4', 'fr'],
    ['en;q=0.1, FR;q=0.2', 'fr'],
    ['fr;q=0', 'en'],
    ['*, fr;q=0.5', 'en'],
    ['de', 'en'],
    [';;q=,,fr;q=x', 'en'],
    ['frr', 'en'],
  ] as const) {
    test(`is ${language} for ${JSON.stringify(header)}`, () => assert.equal(interfaceLanguage(header), language))
  }
})
