import { FileClock, FileX } from 'lucide-react'
import { useState } from 'react'
import './page-image.css'

type PageImageProps = { address: string; alt: string; isThere: boolean; eager?: boolean }

/**
 * The image of a page in a frame of its own shape. One that is not rendered yet is not asked for: the server would wait
 * with the answer, and a browser has but six connections.
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
