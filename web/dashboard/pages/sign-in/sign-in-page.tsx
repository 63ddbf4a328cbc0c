import { Text } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../../../ui/page-title.tsx'
import { paths, signInLinkToken } from '../../navigation/paths.ts'
import { OutsidePage } from '../../shell/outside-page.tsx'
import { SignInForm } from '../../sign-in/sign-in-form.tsx'
import { LinkOpened } from './link-opened.tsx'
import { useContinueAfterSignIn } from './use-continue-after-sign-in.ts'

/** Signs in by name and password, or by a link that sets a password. */
export function SignInPage() {
  const { back } = useSearch({ from: paths.signIn })
  const [linkToken, setLinkToken] = useState(takeLinkToken)
  return (
    <OutsidePage>
      {linkToken === undefined ? (
        <SignIn back={back} />
      ) : (
        <LinkOpened token={linkToken} onDismiss={() => setLinkToken(undefined)} />
      )}
    </OutsidePage>
  )
}

function SignIn({ back }: { back: string | undefined }) {
  const { t } = useTranslation()
  const continueToPage = useContinueAfterSignIn(back)
  return (
    <SignInForm back={back ?? paths.home} onSignedIn={continueToPage}>
      <PageTitle title={t('signIn.title')} />
      {back !== undefined && back !== paths.home && <Text c="dimmed">{t('signIn.toContinue')}</Text>}
    </SignInForm>
  )
}

/** Removes the token of a link from the address at once, so that it stays out of the history. */
function takeLinkToken(): string | undefined {
  const token = signInLinkToken(location.hash)
  if (token !== undefined) history.replaceState(history.state, '', location.pathname + location.search)
  return token
}
