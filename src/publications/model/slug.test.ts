import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { SLUG_PATTERN } from './fields.ts'
import { firstFreeNumber, MAX_SLUG_LENGTH, numberedSlug, slugOf } from './slug.ts'

const pattern = new RegExp(SLUG_PATTERN)
const titles = fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.string({ unit: 'grapheme', maxLength: 200 }))

describe('A slug', () => {
  const examples: [title: string, slug: string][] = [
    ['Annual Report 2026', 'annual-report-2026'],
    ["À la carte : l'œuvre d’Anna", 'a-la-carte-l-oeuvre-d-anna'],
    ['Altitude N°42, nº 7', 'altitude-no-42-no-7'],
    ['Turn° 42', 'turndeg-42'],
    ['STRASSE Straße ẞ', 'strasse-strasse-ss'],
    ['Łódź, Ærøskøbing & Þingvellir', 'lodz-aeroskobing-thingvellir'],
    ['İstanbul ılık', 'istanbul-ilik'],
    ['Tiếng Việt', 'tieng-viet'],
    ['Привет, мир', 'privet-mir'],
    ['соль и подъезд', 'sol-i-podezd'],
    ['Ελληνικά', 'ellinika'],
    ['สวัสดีชาวโลก', 'swasdichawolk'],
    ['你好，世界', 'ni-hao-shi-jie'],
    ['日本語 カタカナ', 'katakana'],
    ['2026年度のトレイル報告書', '2026-toreiru'],
    ['ひらがな', 'hiragana'],
    ['東京の地図', 'document'],
    ['山と道 第7号', 'document-7'],
    ['1984', '1984'],
    ['한국어 사전', 'hangugeo-sajeon'],
    ['مرحبا بالعالم', 'mrhb-bllm'],
    ['שלום עולם', 'slvm-vlm'],
    ['😀🎉', 'grinning-tada'],
    ['𝓗𝓮𝓵𝓵𝓸 ﬁne ①', 'hello-fine-1'],
    ['../../etc/passwd', 'etc-passwd'],
    ['<script>alert(1)</script>', 'script-alert-1-script'],
    ['---', 'document'],
    ['\u200f\u202e\u2066', 'document'],
    ['\u0301', 'document'],
  ]
  for (const [title, slug] of examples) {
    test(`of ${JSON.stringify(title)} is ${slug}`, () => {
      assert.equal(slugOf(title), slug)
    })
  }

  test('is always one that may stand in an address, and its own slug', () => {
    fc.assert(
      fc.property(titles, (title) => {
        const slug = slugOf(title)

        assert.match(slug, pattern)
        assert(slug.length <= MAX_SLUG_LENGTH)
        assert.equal(slugOf(slug), slug)
      }),
    )
  })

  test('is the same for composed and decomposed text', () => {
    fc.assert(
      fc.property(titles, (title) => {
        assert.equal(slugOf(title.normalize('NFD')), slugOf(title.normalize('NFC')))
      }),
    )
  })

  test('is cut to its length, without a hyphen at its end', () => {
    assert.equal(slugOf('a'.repeat(500)), 'a'.repeat(80))
    assert.equal(slugOf(`${'a'.repeat(79)} b`), 'a'.repeat(79))
    assert.equal(slugOf('界'.repeat(500)).length, 79)
  })
})

describe('A numbered slug', () => {
  test('has its number at its end from the second on', () => {
    assert.deepEqual(
      [1, 2, 10].map((number) => numberedSlug('report', number)),
      ['report', 'report-2', 'report-10'],
    )
  })

  test('is within the length of slugs and differs from that of other numbers', () => {
    fc.assert(
      fc.property(titles, fc.uniqueArray(fc.integer({ min: 2, max: 1e9 }), { maxLength: 20 }), (title, numbers) => {
        const slugs = numbers.map((number) => numberedSlug(slugOf(title), number))

        for (const slug of slugs) {
          assert.match(slug, pattern)
          assert(slug.length <= MAX_SLUG_LENGTH)
        }
        assert.equal(new Set(slugs).size, numbers.length)
      }),
    )
  })
})

describe('The first free number', () => {
  test('follows those that are taken', async () => {
    for (let count = 0; count <= 40; count++)
      assert.equal(await firstFreeNumber(async (number) => number <= count), count + 1)
  })

  test('is found in few look-ups among many', async () => {
    let lookUps = 0

    const number = await firstFreeNumber(async (candidate) => {
      lookUps++
      return candidate <= 10_000
    })

    assert.equal(number, 10_001)
    assert(lookUps <= 30)
  })

  test('is free, and the one before is not, where there are gaps', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.integer({ min: 1, max: 200 })), async (numbers) => {
        const taken = new Set(numbers)

        const number = await firstFreeNumber(async (candidate) => taken.has(candidate))

        assert(!taken.has(number))
        assert(number === 1 || taken.has(number - 1))
      }),
    )
  })
})
