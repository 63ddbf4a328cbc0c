import { Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import type { LucideIcon } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'

let pagesShown = 0

/** `size` makes a heading smaller where the room is wanted for what is below it. */
type PageTitleProps = { title: string; windowTitle?: string; size?: 'h2' | 'h3' }

/**
 * The heading of a page. It sets the window's title, and takes the focus when the page replaces another one, so that
 * screen readers announce it and the keyboard continues from there. On the first page, the browser keeps the focus.
 */
export function PageTitle({ title, windowTitle = title, size }: PageTitleProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${windowTitle} · Trackpress`
  }, [windowTitle])
  useEffect(() => {
    pagesShown += 1
    if (pagesShown > 1) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <Title order={1} size={size} ref={heading} tabIndex={-1} style={{ overflowWrap: 'anywhere' }}>
      {title}
    </Title>
  )
}

/**
 * Moves the focus to the heading of the page when what it shows has changed, if what had the focus is gone with what
 * was shown before.
 * @param shown identifies what is shown below the heading
 */
export function useFocusAfter(shown: string): void {
  const before = useRef(shown)
  useEffect(() => {
    if (before.current === shown) return
    before.current = shown
    if (document.activeElement === document.body) document.querySelector('h1')?.focus({ preventScroll: true })
  }, [shown])
}

type EmptyStateProps = { icon: LucideIcon; title: string; children?: ReactNode; action?: ReactNode; order?: 2 | 3 }

/** Replaces an empty list: explains it, and how its first entry comes about. */
export function EmptyState({ icon: Icon, title, children, action, order = 2 }: EmptyStateProps) {
  return (
    <Paper withBorder p="xl" bg="var(--panel-background)">
      <Stack align="center" gap="sm" py="lg" ta="center">
        <ThemeIcon size={56} radius="xl" variant="light" aria-hidden>
          <Icon size={28} />
        </ThemeIcon>
        <Title order={order} size="h3">
          {title}
        </Title>
        {children !== undefined && (
          <Text c="dimmed" maw={460}>
            {children}
          </Text>
        )}
        {action}
      </Stack>
    </Paper>
  )
}
