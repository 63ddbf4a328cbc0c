import { Menu } from '@mantine/core'
import type { MouseEvent, ReactNode } from 'react'
import { downloadConfirmed } from '../api/confirmation.ts'

/** `isConfirmed` lets the operator confirm first, for what the server hands out only then. */
type DownloadItemProps = { href: string; isConfirmed?: boolean; children: ReactNode }

/** An entry of a menu that downloads a file. */
export function DownloadItem({ href, isConfirmed = false, children }: DownloadItemProps) {
  const confirm = (event: MouseEvent) => {
    event.preventDefault()
    void downloadConfirmed(href)
  }
  return (
    <Menu.Item component="a" href={href} download onClick={isConfirmed ? confirm : undefined}>
      {children}
    </Menu.Item>
  )
}
