import { Anchor, type AnchorProps, Button, type ButtonProps, Menu, type MenuItemProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef } from 'react'

type LinkProps<Own> = Own & Omit<ComponentPropsWithRef<'a'>, keyof Own>

/** A link in a text, to a page of the dashboard. */
export const AnchorLink = createLink((props: LinkProps<AnchorProps>) => <Anchor {...props} />)

/** A link that looks like a button, to a page of the dashboard. */
export const ButtonLink = createLink((props: LinkProps<ButtonProps>) => <Button component="a" {...props} />)

/** An entry of a menu, to a page of the dashboard. */
export const MenuLink = createLink((props: LinkProps<MenuItemProps>) => <Menu.Item component="a" {...props} />)
