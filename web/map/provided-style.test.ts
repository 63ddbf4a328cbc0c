import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { StyleSpecification } from 'maplibre-gl'
import { localised, withAbsoluteAddresses } from './provided-style.ts'

function labelled(text: unknown): StyleSpecification {
  const layout = { 'text-field': text } as never
  return { version: 8, sources: {}, layers: [{ id: 'label', type: 'symbol', source: 's', layout }] }
}
const labelOf = ({ layers: [layer] }: StyleSpecification) => (layer.layout as Record<string, unknown>)['text-field']

describe('the labels of a provider’s style', () => {
  test('are in the reader’s language where the tiles have it, and as they were elsewhere', () => {
    const names = ['coalesce', ['get', 'name_en'], ['get', 'name']]

    const label = labelOf(localised(labelled(names), 'fr'))

    assert.deepEqual(label, ['coalesce', ['get', 'name:fr'], ['get', 'name_fr'], names])
  })

  test('may be written with braces', () => {
    assert.deepEqual(labelOf(localised(labelled('{name:latin}\n{name:nonlatin}'), 'fr')), [
      'coalesce',
      ['get', 'name:fr'],
      ['get', 'name_fr'],
      ['get', 'name:latin'],
      ['get', 'name'],
    ])
  })

  test('stay as they are if they are no names', () => {
    for (const text of ['{ref}', ['get', 'ref'], ['to-string', ['get', 'housenumber']], undefined])
      assert.deepEqual(labelOf(localised(labelled(text), 'fr')), text)
  })
})

describe('the addresses of a provider’s style', () => {
  test('are relative to the style', () => {
    const style = withAbsoluteAddresses(
      {
        version: 8,
        glyphs: '/fonts/{fontstack}/{range}.pbf',
        sprite: 'sprites/day',
        sources: {
          tiles: { type: 'vector', url: 'tiles.json' },
          more: { type: 'raster', tiles: ['../{z}/{x}/{y}.png', 'https://b.example/{z}/{x}/{y}.png'] },
        },
        layers: [],
      },
      'https://a.example/styles/day/style.json',
    )

    assert.deepEqual(style, {
      version: 8,
      glyphs: 'https://a.example/fonts/{fontstack}/{range}.pbf',
      sprite: 'https://a.example/styles/day/sprites/day',
      sources: {
        tiles: { type: 'vector', url: 'https://a.example/styles/day/tiles.json' },
        more: {
          type: 'raster',
          tiles: ['https://a.example/styles/{z}/{x}/{y}.png', 'https://b.example/{z}/{x}/{y}.png'],
        },
      },
      layers: [],
    })
  })
})
