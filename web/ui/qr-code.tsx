import { Button, Group } from '@mantine/core'
import { Download } from 'lucide-react'
import { useMemo } from 'react'
import { qrPath } from './qr-path.ts'

/** A QR code as one path, black on white in every colour scheme, as scanners need it. */
export function QrCode({ text, label, sizePx = 200 }: { text: string; label: string; sizePx?: number }) {
  const { side, path } = useMemo(() => qrPath(text), [text])
  return (
    <svg
      role="img"
      aria-label={label}
      width={sizePx}
      height={sizePx}
      viewBox={`0 0 ${side} ${side}`}
      shapeRendering="crispEdges"
      style={{ display: 'block', borderRadius: 8, maxWidth: '100%' }}
    >
      <rect width={side} height={side} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}

/** Large enough for a poster. A whole number keeps modules sharp. */
const PIXELS_PER_MODULE = 24

type QrDownloadsProps = { text: string; fileName: string; words: { png: string; svg: string } }

/** Downloads a QR code as pixels, and as a vector drawing for print. */
export function QrDownloads({ text, fileName, words }: QrDownloadsProps) {
  return (
    <Group gap="xs">
      <Button
        variant="default"
        size="xs"
        leftSection={<Download size={16} aria-hidden />}
        onClick={() => void pngOf(text).then((blob) => saveFile(blob, `${fileName}.png`))}
      >
        {words.png}
      </Button>
      <Button
        variant="default"
        size="xs"
        leftSection={<Download size={16} aria-hidden />}
        onClick={() => saveFile(new Blob([svgOf(text)], { type: 'image/svg+xml' }), `${fileName}.svg`)}
      >
        {words.svg}
      </Button>
    </Group>
  )
}

function svgOf(text: string): string {
  const { side, path } = qrPath(text)
  const ground = `<rect width="${side}" height="${side}" fill="#fff"/>`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges">${ground}<path d="${path}"/></svg>\n`
}

function pngOf(text: string): Promise<Blob> {
  const { side, path } = qrPath(text)
  const canvas = document.createElement('canvas')
  canvas.width = side * PIXELS_PER_MODULE
  canvas.height = side * PIXELS_PER_MODULE
  const context = canvas.getContext('2d')!
  context.scale(PIXELS_PER_MODULE, PIXELS_PER_MODULE)
  context.fillStyle = '#fff'
  context.fillRect(0, 0, side, side)
  context.fillStyle = '#000'
  context.fill(new Path2D(path))
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error('The browser makes no PNG')) : resolve(blob)),
      'image/png',
    ),
  )
}

/** Gives a file to the browser to save. */
export function saveFile(blob: Blob, fileName: string): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
  // A download that has started keeps the blob alive.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
