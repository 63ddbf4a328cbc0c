import { FileClock, FileX } from 'lucide-react'
import { useState } from 'react'
import './page-image.css'

type PageImageProps = { address: string; alt: string; isThere: boolean; eager?: boolean }

/**
 * The image of a page, scaled to fit its frame. Images that are not rendered yet are not requested, because the server
 * would hold the response and a browser has only six connections.
 */
export function PageImage({ address, alt, isThere, eager = false }: PageImageProps) {
  const [failed, setFailed] = useState<string>()
  if (!isThere || failed === address) {
    const Icon = isThere ? FileX : FileClock
    return (
      <span className="page-image" role="img" aria-label={alt}>
        <Icon size={28} aria-hidden />
      </span>
    )
  }
  return (
    <span className="page-image">
      <img
        key={address}
        src={address}
        alt={alt}
        loading={eager ? 'eager' : 'lazy'}
        decoding="async"
        onError={() => setFailed(address)}
      />
    </span>
  )
}
