import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDecimal } from './read-decimal.ts'

test('numbers are decimal, and nothing else is a number', () => {
  const texts = ['1.5', ' -3\n', '1e2', '1E-2', '.5', '5.', '+7', '-0', `1.${'0'.repeat(90)}`]
  assert.deepEqual(texts.map(readDecimal), [1.5, -3, 100, 0.01, 0.5, 5, 7, -0, 1])
  const others = ['', ' ', '0x2d', '0b1', '0o7', 'NaN', 'Infinity', '1e999', '1,5', '1_0', '1 2', '.', 'e5', '1e']
  for (const text of [...others, `1${'0'.repeat(100)}`]) assert.equal(readDecimal(text), undefined, text)
})
