import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isWeakPassword } from './password-weakness.ts'

describe('isWeakPassword', () => {
  const weak = [
    ...['123456789012', '987654321098', 'abcdefghijklm', 'qwertyuiopas', 'AZERTYUIOPQS', '1q2w3e4r5t6y'],
    ...['aaaaaaaaaaaa', 'abababababab', 'password1234', 'P@ssw0rd2026!', 'PasswordPassword', 'motdepasse123'],
    ...['camille12345', 'Camille.Camille', 'trackpress2026', 'admin-admin-admin', 'Correct Horse Battery Staple'],
    ...['welcome2026!', 'operatoroperator', 'iloveyou1234', 'letmeinplease', 'Football2024!', 'qwerty123456'],
    ...['1qaz2wsx3edc', 'michaeljordan', 'sunshine12345', 'Liverpool2023', 'superman1234', 'dragon123456'],
    ...['Summer2025!!', 'january2026!!', 'basketball12', 'chocolate123', 'jennifer1234', 'princess1234'],
    ...['monkey123456', 'trustno1trustno1', 'Administrator1', 'zaq12wsxcde3', 'aaaabbbbcccc', 'passwordpassword1'],
  ]
  const strong = [
    ...['a quiet lake at dawn', 'dtVk93_bQz1L', 'мой дом у реки', 'password of my two cats'],
    ...['camille aime les montagnes', '0b51a2de-6f0c-4f2b', 'seven123 boats', '湖のほとりの小さな古い家で'],
  ]

  for (const password of weak) {
    test(`refuses ${password}`, async () => assert.equal(await isWeakPassword(password, 'Camille'), true))
  }

  for (const password of strong) {
    test(`accepts ${password}`, async () => assert.equal(await isWeakPassword(password, 'Camille'), false))
  }

  test('does not refuse a password for the letters of a very short name', async () => {
    assert.equal(await isWeakPassword('banana bread at ten', 'a'), false)
  })

  test('judges a password of 200 characters in a fraction of a second', async () => {
    await isWeakPassword('a quiet lake at dawn', 'Camille')
    const before = process.cpuUsage()

    await isWeakPassword('password1'.repeat(22), 'Camille')
    await isWeakPassword('p@ssw0rd!1l5s$'.repeat(14), 'Camille')

    // Processor time, which other processes on a busy machine do not lengthen.
    const { user, system } = process.cpuUsage(before)
    assert.ok(user + system < 1_000_000)
  })
})
