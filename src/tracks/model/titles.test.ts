import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { generateTitle, isBlank, searchText } from './titles.ts'

function titleAt(time: string, offsetMin?: number, timeZone = 'UTC') {
  return generateTitle(Date.parse(time), offsetMin, timeZone)
}

describe('generateTitle', () => {
  test('writes the day without and the time with leading zeros', () => {
    assert.equal(titleAt('2026-05-03T08:05:59.999Z'), 'Sortie du 3 mai à 08h05')
    assert.equal(titleAt('2026-02-01T00:00:00Z'), 'Sortie du 1 février à 00h00')
  })

  test('writes the months in French and lower case', () => {
    const months = Array.from({ length: 12 }, (_, i) => generateTitle(Date.UTC(2026, i, 15, 12), undefined, 'UTC'))

    assert.deepEqual(
      months.map((title) => title.split(' ')[3]),
      'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'.split(' '),
    )
  })

  test('uses the offset of the start time in preference to any zone', () => {
    assert.equal(titleAt('2026-12-31T23:05:00Z', 120, 'America/New_York'), 'Sortie du 1 janvier à 01h05')
    assert.equal(titleAt('2026-03-01T01:00:00Z', -570, 'Europe/Paris'), 'Sortie du 28 février à 15h30')
    assert.equal(titleAt('2026-03-01T01:00:00Z', 0, 'Europe/Paris'), 'Sortie du 1 mars à 01h00')
  })

  test('otherwise uses the local time of the zone, in summer and in winter', () => {
    assert.equal(titleAt('2026-07-31T22:30:00Z', undefined, 'Europe/Paris'), 'Sortie du 1 août à 00h30')
    assert.equal(titleAt('2026-12-31T22:30:00Z', undefined, 'Europe/Paris'), 'Sortie du 31 décembre à 23h30')
    assert.equal(titleAt('2026-01-01T00:00:00Z', undefined, 'Asia/Kathmandu'), 'Sortie du 1 janvier à 05h45')
  })

  test('does not depend on the zone of the process', (t) => {
    const { env } = process
    const zone = env.TZ
    t.after(() => {
      if (zone === undefined) delete env.TZ
      else env.TZ = zone
    })
    const titles = ['UTC', 'Pacific/Kiritimati', 'America/Los_Angeles'].map((processZone) => {
      env.TZ = processZone
      return [titleAt('2026-05-03T08:05:00Z', 90), titleAt('2026-05-03T08:05:00Z')]
    })

    assert.deepEqual(titles, Array(3).fill(['Sortie du 3 mai à 09h35', 'Sortie du 3 mai à 08h05']))
  })

  test('works for the first and the last time that can be written', () => {
    assert.equal(titleAt('0000-01-01T00:00:00.000Z'), 'Sortie du 1 janvier à 00h00')
    assert.equal(titleAt('9999-12-31T23:59:59.999Z', 60), 'Sortie du 1 janvier à 00h59')
  })

  test('counts days as the start is written, also before the Gregorian calendar', () => {
    assert.equal(titleAt('1500-02-20T12:00:00Z'), titleAt('1500-02-20T12:00:00Z', 0))
  })

  test('throws for a zone that does not exist', () => {
    assert.throws(() => titleAt('2026-05-03T08:05:00Z', undefined, 'Mars/Olympus'), RangeError)
  })
})

describe('isBlank', () => {
  test('is true for no title, an empty one, and only white space', () => {
    assert.deepEqual([undefined, null, '', ' \t\n\u00a0', ' a '].map(isBlank), [true, true, true, true, false])
  })
})

describe('searchText', () => {
  test('starts with the title, so that it sorts by title', () => {
    assert.equal(searchText('Été', 'Phone', null), 'ete\nphone\n')
  })
})
