import { Stack, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../navigation/links.tsx'
import { paths } from '../navigation/paths.ts'
import { PROVIDER_LOOK } from '../sign-in/provider-look.tsx'

/** `text` is from the settings; empty for that of the dashboard. `isFirst` gives it the focus. */
type ProviderTabLinkProps = { text: string; isFirst: boolean }

/** Leads to the identity provider in a tab of its own: what was entered on this page would be lost with it. */
export function ProviderTabLink({ text, isFirst }: ProviderTabLinkProps) {
  const { t } = useTranslation()
  const link = useRef<HTMLAnchorElement>(null)
  // Of links, React ignores `autoFocus`.
  useEffect(() => {
    if (isFirst) link.current?.focus()
  }, [isFirst])
  return (
    <Stack gap={4}>
      <ButtonLink
        {...PROVIDER_LOOK}
        ref={link}
        to={paths.signInConfirm}
        target="_blank"
        rel="noopener"
        data-autofocus={isFirst || undefined}
        aria-describedby="provider-tab"
      >
        {text || t('provider.signIn')}
      </ButtonLink>
      <Text size="sm" c="dimmed" id="provider-tab">
        {t('provider.opensTab')}
      </Text>
    </Stack>
  )
}
