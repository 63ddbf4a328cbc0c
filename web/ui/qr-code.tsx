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
