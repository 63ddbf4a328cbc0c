import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { paths, signInLinkToken } from '../../navigation/paths.ts'
import { OutsidePage } from '../../shell/outside-page.tsx'
import { PasswordSetForm } from './password-set-form.tsx'
import { SignInForm } from './sign-in-form.tsx'

/** Signing in: by name and password, or for the first time by a link that lets one set a password. */
export function SignInPage() {
  const { back } = useSearch({ from: paths.signIn })
  const [linkToken] = useState(takeLinkToken)
  return (
    <OutsidePage>
      {linkToken === undefined ? <SignInForm back={back} /> : <PasswordSetForm token={linkToken} />}
    </OutsidePage>
  )
}

/** The token of a link is taken out of the address at once, so that it stays in no history. */
function takeLinkToken(): string | undefined {
  const token = signInLinkToken(location.hash)
  if (token !== undefined) history.replaceState(history.state, '', location.pathname + location.search)
  return token
}
