import { Title } from '@mantine/core'
import { useEffect, useRef } from 'react'

let pagesShown = 0

/**
 * The heading of a page: names the window, and takes the focus when the page comes in the place of another, so that it
 * is read out and the keyboard goes on from there. The first page of a visit leaves the focus to the browser.
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
