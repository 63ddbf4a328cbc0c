import { Title } from '@mantine/core'
import { useEffect, useRef } from 'react'

let pagesShown = 0

/**
 * The heading of a page. It sets the window's title, and takes the focus when the page replaces another one, so that
 * screen readers announce it and the keyboard continues from there. On the first page, the browser keeps the focus.
 */
export function PageTitle({ title, windowTitle = title }: { title: string; windowTitle?: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${windowTitle} · Trackpress`
  }, [windowTitle])
  useEffect(() => {
    pagesShown += 1
    if (pagesShown > 1) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <Title order={1} ref={heading} tabIndex={-1} style={{ overflowWrap: 'anywhere' }}>
      {title}
    </Title>
  )
}
