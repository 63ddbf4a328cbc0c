import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { generateTitle, isBlank, searchText, titleIn } from './titles.ts'

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

describe('titleIn', () => {
  const startMs = Date.parse('2026-11-23T10:23:45Z')
  const title = generateTitle(startMs, undefined, 'Europe/Paris')

  test('tells a generated title in the language of the reader, by the same clock', () => {
    assert.equal(title, 'Sortie du 23 novembre à 11h23')
    assert.equal(titleIn('en-GB', title, startMs), 'Track from 23 November, 11:23')
    assert.equal(titleIn('en-US', title, startMs), 'Track from November 23, 11:23')
    assert.equal(titleIn('en', 'Sortie du 29 février à 00h05'), 'Track from February 29, 00:05')
  })

  test('leaves it as it is in French', () => {
    assert.deepEqual(
      ['fr', 'fr-CH'].map((language) => titleIn(language, title, startMs)),
      [title, title],
    )
  })

  test('knows the generated title of every zone and every month', () => {
    for (const zone of [
      'Pacific/Kiritimati',
      'Asia/Kathmandu',
      'Australia/Eucla',
      'UTC',
      'America/St_Johns',
      'Etc/GMT+12',
    ])
      for (let month = 0; month < 12; month++)
        for (const hour of [0, 11, 23]) {
          const atMs = Date.UTC(2026, month, 28, hour, 59, 59)
          assert.match(titleIn('en-GB', generateTitle(atMs, undefined, zone), atMs), /^Track from /, `${zone} ${month}`)
        }
  })

  test('leaves a title that somebody typed', () => {
    const typed = [
      'Sortie du 24 novembre à 11h23',
      'Sortie du 23 novembre à 11h24',
      'Sortie du 22 novembre à 22h08',
      'Sortie du 32 novembre à 11h23',
      'Sortie du 23 Novembre à 11h23',
      'Sortie du 23 novembre à 11h23 ',
      'La Sortie du 23 novembre à 11h23',
      'Sortie du 023 novembre à 11h23',
      'Sortie du 23 novembre à 24h23',
      '117 · Anna Martin',
      '',
    ]

    assert.deepEqual(
      typed.map((one) => titleIn('en', one, startMs)),
      typed,
    )
  })

  test('goes by the form alone where the start is not known', () => {
    assert.equal(titleIn('en-GB', 'Sortie du 24 novembre à 11h23'), 'Track from 24 November, 11:23')
    assert.equal(titleIn('en-GB', 'Sortie du 24 nivôse à 11h23'), 'Sortie du 24 nivôse à 11h23')
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
