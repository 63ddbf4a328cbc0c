import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { emptyColumns, type PointColumns } from '../point-columns.ts'
import { decodeChunk, encodeChunk } from './chunk-codec.ts'

// Chunks as an earlier version of the code stored them. Every later version must read them, and write the same bytes
// where Zstandard, whose output differs between its versions, takes no part.

type StoredChunk = { points: PointColumns; fast: string; small: string }

const STORED: Record<string, StoredChunk> = {
  'one point without optional fields': {
    points: onePoint(),
    fast: 'AQH2oav++WIAMAA4qsj50QM42fDwFQ8PDw8PMQB0ysEA',
    small: 'AQH2oav++WIAMAA4qsj50QM42fDwFQ8PDw8PMQB0ysEA',
  },
  'points that say what their altitude is above': {
    points: pointsWithReferences(),
    fast: 'AgP2oav++WLQDyAAAgAAOKrI+dEDONnw8BUhRgIAAA8PDw8xACEAAgAAz52P4g==',
    small: 'AgP2oav++WLQDyAAAgAAOKrI+dEDONnw8BUhRgIAAA8PDw8xACEAAgAAz52P4g==',
  },
  'a batch of a walk': {
    points: walk(),
    fast:
      'ASiAoKv++WLYsAIgAAIABCiyyPnRA8gBAC5IDIltckIlkUEDZbNiZTw2LKxWifFF9dgIIG5y+MAo6PDwFWcAK6QPiBFzBeRCiek5JfWbYnvZ' +
      'C8jZQgRrWlRk47cCvAUAGzP4iHuPEOU9ZupPCncrER5vlNimDhDaTQBJeYafAsqO+sXMRJTiJ85NcHCWYMmJU8gqQmSesZAEIcJrmUg7VCsE' +
      '8IRpCDVtWijlkOZWAIMHIprghAIALJnKtXvuNkiO2LpOlqxRbgx4uyAyug4TvgEAD///f/0AEQIAD////86ALiDqig==',
    small:
      'ASiAoKv++WLYsAIgAAIABCiyyPnRA8gBAC5IDIltckIlkUEDZbNiZTw2LKxWifFF9dgIIG5y+MAo6PDwFWcAK6QPiBFzBeRCiek5JfWbYnvZ' +
      'C8jZQgRrWlRk47cCvAUAGzP4iHuPEOU9ZupPCncrER5vlNimDhDaTQBJeYafAsqO+sXMRJTiJ85NcHCWYMmJU8gqQmSesZAEIcJrmUg7VCsE' +
      '8IRpCDVtWijlkOZWAIMHIprghAIALJnKtXvuNkiO2LpOlqxRbgx4uyAyug4TvgEAD///f/0AEQIAD////86ALiDqig==',
  },
  'columns of every form': {
    points: everyForm(),
    fast:
      'AST//6Gp6ugBhIDzvZ/dAmEAAAAAAAAAAAEw7326AgAAAFoAAAAAAAAAAAAAAAAAAAAAA2kdavwBO0jrV+AKAAAAAAAAAAAAAAAAAAAAAAG0' +
      'jrV+AJ2kdavwBQAAAAAAAAAAAAAAAAAAAAAA2kdavwBO0jrV+AKAAAAAAAAAAAAAAAAAAAAAAG0jrV+AJ2kdavwBQAAAAAAAAAAAAAAAAAAA' +
      'AAA2kdavwBO0jrV+AKAAAAAAAAAAAAAAAAAAAAAAG0jrV+AJ2kdavwBQAAAAAAAAAAAAAAC0AAAAAAAbSOtX4AkthIrMnwRYACJvovotEEsY' +
      'lfMJKg05eKLVMopaMgBfFlbcta9LgT8AcLQ2mbEWwERbQwOF1tAhG4wjDbCVJlBi39355c4iatkuEWxkzP7O1ryE3M+kI4pBrsoEI81rknua' +
      'SAMTv++TeB6eoSRO9PYlqJ3S/3CWPIoqQc8iLBylRbo92qolTTCWASB0IStoCj/x1JMywK+LIf0C3/oQpayeAc3VM3NRASDnDvVIHLzgKjrW' +
      '4A2aO2KRKGek/hQvQ/O9u/om14VMSuu8AlkMC7ob5BjzOrxWG0o0VifMZ2aND5vFi6dpHR9mqJ/1ndu9/1UGi2V1jeDFZNV8BlQ81x1oAj4a' +
      'AomZRcHm1Aa/2zrMoraeDIvN2O5i9ZIdzcCYQgCB//9KGd8LgAAAAAAAAAAACgAAAAAAAAAp//9KGd8LgFoAAAAAAAAAoAAAAAAAAAD7//9K' +
      'Gd8LgWgAAAAAAAAB6gAAAAAAAAKB//9KGd8LgyoAAAAAAAAD6AAAAAAAAAS7//9KGd8LhaAAAAAAAAAGmgAAAAAAAAep//9KGd8LiMoAAAAA' +
      'AAAKAAAAAAAAAAtL//9KGd8LjKgAAAAAAAAOGgAAAAAAAA+h//9KGd8LkToAAAAAAAAS6AAAAAAAABSr//9KGd8LloAAAAAAAAAYagAAAAAA' +
      'ABpp//9KGd8LnHoAAAAAAAAeoAAAAAAAACDb//9KGd8LoygAAAAAAAAliwAAAAAAAABQA//+lDO+F1UUAAAAAAAAWlAAAAAAAABftIFIBLjy' +
      '9RMA6eDaQDDS5/9ASyB2ODK6nX4Dk4PsIDKwU/yoG3HgGTDxZRL2kN8B5vjrQdQoAKCd9y1ZHa1n0E4nECjdpAfA95KMiDWp3HcAAAAAvwUg' +
      '3TQzMzMzM9M/bwAAAAAAAACAAAAAAAAA8L8AgQCAAAAAAAAAAB////////4AAAAAAAAAAAAP///////+AAAAAAAAAAD/kAAAAAAAAf8f////' +
      '///+/4gAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAP9QAAAAAAAB/p////////7/UAAAAAAAAAAD///////+AAAAAAAA' +
      'AAAAAAAAAAAAAAAAAAAAAAAA/ywAAAAAAAH+V////////v8sAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAD/EAAAAAAA' +
      'Af4f///////+/xAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAH///////78AAAAAAAAAAf30AAAAAAAAA8BAAASabve2lXNrU3pqSTgKLL+Eg==',
    small:
      'AST//6Gp6ugBhIDzvZ/dAmEAAAAAAAAAAAEw7326AgAAATkotS/9YBAAfQEA6AAAGxsAAABISAAAAOvrAAAAV1cAAADg4AAAAAkKByDA0wG3' +
      'vvWt35pb48aCciwthIrMnwRYACJvovotEEsYlfMJKg05eKLVMopaMgBfFlbcta9LgT8AcLQ2mbEWwERbQwOF1tAhG4wjDbCVJlBi39355c4i' +
      'atkuEWxkzP7O1ryE3M+kI4pBrsoEI81rknuaSAMTv++TeB6eoSRO9PYlqJ3S/3CWPIoqQc8iLBylRbo92qolTTCWASB0IStoCj/x1JMywK+L' +
      'If0C3/oQpayeAc3VM3NRASDnDvVIHLzgKjrW4A2aO2KRKGek/hQvQ/O9u/om14VMSuu8AlkMC7ob5BjzOrxWG0o0VifMZ2aND5vFi6dpHR9m' +
      'qJ/1ndu9/1UGi2V1jeDFZNV8BlQ81x1oAj4aAomZRcHm1Aa/2zrMoraeDIvN2O5i9ZIdzcCYQgFkKLUv/WAgANUCAIQE/wAApQzvhcABwQEC' +
      'wgMDxAUFxgcHyAkKywwNzg8Q0RIU1RYXAAUULVB9tPVAlfRd0E3UZQClVA3QnXRVQDU0PVBtlMUARZTtBiCwwwGZIA/JIEXkFVE5BIFIBLjy' +
      '9RMA6eDaQDDS5/9ASyB2ODK6nX4Dk4PsIDKwU/yoG3HgGTDxZRL2kN8B5vjrQdQoAKCd9y1ZHa1n0E4nECjdpAfA95KMiDWp3HcAAAAAvwUg' +
      '3TQzMzMzM9M/bwAAAAAAAACAAAAAAAAA8L8BSCi1L/1gEAD1AQA0AoAAAAAAf/9/QA8ABwDIj8SoT6gBAAAAliuWiA+IfQD/AP8ACgCkoijs' +
      'CMQ0eDnAGdBZUbER0xBMi8suXA8BAAASabve2lXNrU3pqSTgxx0cYg==',
  },
}

for (const [name, { points, fast, small }] of Object.entries(STORED)) {
  describe(`a stored chunk with ${name}`, () => {
    test('is read to the last bit', () => {
      for (const stored of [fast, small]) assert.deepEqual(decodeChunk(Buffer.from(stored, 'base64')), points)
    })

    test('is written with the same bytes', () => {
      assert.equal(Buffer.from(encodeChunk(points, 'fast')).toString('base64'), fast)
    })
  })
}

function onePoint(): PointColumns {
  const points = emptyColumns(1)
  points.timeMs[0] = 1_700_000_000_123
  points.latitude[0] = 48.8583701
  points.longitude[0] = -2.2944813
  return points
}

function pointsWithReferences(): PointColumns {
  const points = emptyColumns(3)
  for (let i = 0; i < points.count; i++) {
    points.timeMs[i] = 1_700_000_000_123 + 1000 * i
    points.latitude[i] = 48.8583701
    points.longitude[i] = -2.2944813
    points.altitude[i] = 35 + i
    points.altitudeReference[i] = i
  }
  return points
}

/** Decimals as an app sends them: steady steps with a little noise, and a sensor that fails for a while. */
function walk(): PointColumns {
  const noise = randomIntegers()
  const points = emptyColumns(40)
  for (let i = 0; i < points.count; i++) {
    points.timeMs[i] = 1_700_000_000_000 + 1000 * i
    points.latitude[i] = (488_583_701 + 97 * i + noise(20)) / 1e7
    points.longitude[i] = (22_944_813 - 60 * i + noise(20)) / 1e7
    points.altitude[i] = (350 + noise(12)) / 10
    points.accuracy[i] = Math.fround((4972 + noise(900)) / 1000)
    points.speedMps[i] = i > 10 && i < 25 ? Number.NaN : (130 + noise(40)) / 100
    points.heading[i] = 92.5
    points.battery[i] = (95 - Math.floor(i / 20)) / 100
    points.origin[i] = i < 30 ? 1 : 2
  }
  return points
}

/** A column for each coding: bits of doubles, wide integers, semicircles, gaps, each order of prediction. */
function everyForm(): PointColumns {
  const noise = randomIntegers()
  const points = emptyColumns(36)
  for (let i = 0; i < points.count; i++) {
    points.timeMs[i] = -4_000_000_000_000 + (i % 5) * 3_000_000_000_001
    points.latitude[i] = ((570_000_000 + 40 * i + noise(9)) * 180) / 2 ** 31
    points.longitude[i] = Math.PI / (3 + noise(1000))
    points.altitude[i] = i * i * 0.5 - (i % 3 === 0 ? 1e13 : 0)
    points.accuracy[i] = i % 2 === 0 ? Number.NaN : noise(2 ** 31)
    points.speedMps[i] = i < 30 ? 0.1 + 0.2 : Number.NaN
    points.heading[i] = i % 7 === 0 ? -0 : i
    points.origin[i] = noise(4)
  }
  return points
}

/**
 * Returns the same integers in each run, from 0 to below a limit (a linear congruential generator, Numerical Recipes).
 */
function randomIntegers(): (limit: number) => number {
  let state = 1
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}
