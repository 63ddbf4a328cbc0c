import { Anchor, type AnchorProps, Button, type ButtonProps, Menu, type MenuItemProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef } from 'react'

type LinkProps<Own> = Own & Omit<ComponentPropsWithRef<'a'>, keyof Own>

/** A text link to a page of the dashboard. */
export const AnchorLink = createLink((props: LinkProps<AnchorProps>) => <Anchor {...props} />)

/** A link to a page of the dashboard that looks like a button. */
export const ButtonLink = createLink((props: LinkProps<ButtonProps>) => <Button component="a" {...props} />)

/** A menu item that links to a page of the dashboard. */
export const MenuLink = createLink((props: LinkProps<MenuItemProps>) => <Menu.Item component="a" {...props} />)
