import assert from 'node:assert/strict'
import { test } from 'node:test'
import { participantsCsv } from './participants-csv.ts'

test('participants as CSV are quoted where needed, and hold no formula', () => {
  const anna = {
    user_id: '7',
    bib: '7',
    name: 'Martin, "Anna"',
    category: null,
    phone: '+33 6 12 34 56 78',
    status: null,
  }
  const bob = { ...anna, user_id: '8', bib: '8', name: '=1+1', category: 'M', phone: null, status: 'dnf' as const }

  assert.equal(
    participantsCsv([anna, bob]),
    `\ufeffuser_id,bib,name,category,phone,status\r\n7,7,"Martin, ""Anna""",,+33 6 12 34 56 78,\r\n8,8,'=1+1,M,,dnf\r\n`,
  )
})
