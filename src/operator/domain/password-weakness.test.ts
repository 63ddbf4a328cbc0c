import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { passwordWeakness } from './password-weakness.ts'

describe('a password', () => {
  const weak = [
    ...['123456789012', '987654321098', 'abcdefghijklm', 'qwertyuiopas', 'AZERTYUIOPQS', '1q2w3e4r5t6y'],
    ...['aaaaaaaaaaaa', 'abababababab', 'password1234', 'P@ssw0rd2026!', 'PasswordPassword', 'motdepasse123'],
    ...['camille12345', 'Camille.Camille', 'trackpress2026', 'admin-admin-admin', 'Correct Horse Battery Staple'],
    ...['welcome2026!', 'operatoroperator'],
  ]
  const good = [
    ...[
      'a quiet lake at dawn',
      'dtVk93_bQz1L',
      'мой дом у реки',
      'password of my two cats',
      'camille aime les montagnes',
    ],
    ...['0b51a2de-6f0c-4f2b', 'seven123 boats', '湖のほとりの小さな古い家で'],
  ]

  for (const password of weak) {
    test(`such as ${password} is refused`, () => {
      assert.notEqual(passwordWeakness(password, 'Camille'), undefined)
    })
  }

  for (const password of good) {
    test(`such as ${password} is taken`, () => {
      assert.equal(passwordWeakness(password, 'Camille'), undefined)
    })
  }

  test('is not refused for the letters of a very short name', () => {
    assert.equal(passwordWeakness('banana bread at ten', 'a'), undefined)
  })
})
