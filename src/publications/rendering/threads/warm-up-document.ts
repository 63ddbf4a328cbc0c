import { deflateSync } from 'node:zlib'

/** A picture of 48 by 48 pixels as JPEG, which is what most pictures in documents are. */
const PICTURE = [
  '/9j/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE',
  '4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAAwADADASIAAhEBAxEB/8QAFwAB',
  'AQEBAAAAAAAAAAAAAAAAAgMEBf/EACMQAAICAwABAwUAAAAAAAAAAAECABEhMUFREiJhcYGRweH/xAAZAQACAwEAAAAAAAAAAAAAAAACBAABAw',
  'X/xAAVEQEBAAAAAAAAAAAAAAAAAAAAAv/aAAwDAQACEQMRAD8A4SJ8xquBuMIcXKKhs7kSaBU90YU9jCHA8xhM/qEYmhC9qJVFRhLqtSgXFyzM',
  '0yBLGpQLVRBb3GFvlTJxpoQmY1UYsRha+2/mNVrfYRiaEJQziMLyJVAPiUVBdk/mEYmmWtRKmsRhMXUoE7MnGmgAB1GFrkap/ZQKA3nEszNAFx',
  '9IwtmMLRB1H6DR89hGJp//2Q==',
]

const TEXT = 'The quick brown fox jumps over the lazy dog. 0123456789'

/** Returns a PDF with a page of text and a picture: opening and drawing it compiles what most documents need. */
export function warmUpDocument(): Uint8Array {
  const lines = Array.from({ length: 30 }, (_, at) => `BT /F1 12 Tf 72 ${700 - 14 * at} Td (${TEXT}) Tj ET`)
  const content = `q 500 0 0 200 56 60 cm /I Do Q 0.2 g ${lines.join(' ')} 72 50 m 500 50 l S`
  const resources = '/Resources << /Font << /F1 4 0 R >> /XObject << /I 5 0 R >> >>'
  return fileOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] ${resources} /Contents 6 0 R >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >>',
    streamOf(
      '/Type /XObject /Subtype /Image /Width 48 /Height 48 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode',
      Buffer.from(PICTURE.join(''), 'base64'),
    ),
    streamOf('/Filter /FlateDecode', deflateSync(content)),
  ])
}

function streamOf(entries: string, bytes: Buffer): string {
  return `<< ${entries} /Length ${bytes.length} >>\nstream\n${bytes.toString('latin1')}\nendstream`
}

/** Writes objects, numbered from 1, as a file whose first object is its catalog. */
function fileOf(objects: string[]): Uint8Array {
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, at) => {
    const offset = file.length
    file += `${at + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`
  return Buffer.from(file + end, 'latin1')
}
