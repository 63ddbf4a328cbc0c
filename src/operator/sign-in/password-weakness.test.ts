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
    ...[
      'camille aime les montagnes',
      'un lac calme au matin',
      '0b51a2de-6f0c-4f2b',
      'seven123 boats',
      '湖のほとりの小さな古い家で',
    ],
  ]

  // Passwords of at least 12 characters that people in England and France choose, as lists of leaked ones show.
  const common = [
    ...['password1234', 'qwertyuiop123', 'iloveyou1234', 'welcome12345', 'letmein12345', 'football1234'],
    ...['administrator', 'changeme1234', 'startrek1234', 'whatever1234', 'liverpoolfc1', 'thisispassword'],
    ...['mypassword123', 'helloworld123', 'secret123456', 'azertyuiop123', 'azerty123456', 'motdepasse123!'],
    ...['bonjour12345', 'jetaime12345', 'doudou123456', 'marseille13000', 'chocolat1234', 'parisstgermain'],
    ...['allezlesbleus', 'changezmoi123', 'administrateur', 'utilisateur123', 'cestmonmotdepasse', 'Printemps2026!'],
    ...['olympiquedemarseille', 'Hiver2025!!!', 'vivelafrance', 'mamanjetaime', 'jetaimemonamour', 'Bienvenue123!'],
  ]

  for (const password of [...weak, ...common]) {
    test(`refuses ${password}`, async () => assert.equal(await isWeakPassword([password, 'Camille']), true))
  }

  for (const password of strong) {
    test(`accepts ${password}`, async () => assert.equal(await isWeakPassword([password, 'Camille']), false))
  }

  test('does not refuse a password for the letters of a very short name', async () => {
    assert.equal(await isWeakPassword(['banana bread at ten', 'a']), false)
  })

  test('judges passwords of 200 characters with many patterns, which a search of all their combinations never would', async () => {
    assert.equal(await isWeakPassword(['password1'.repeat(22), 'Camille']), true)
    assert.equal(typeof (await isWeakPassword(['p@ssw0rd!1l5s$'.repeat(14), 'Camille'])), 'boolean')
  })
})
