import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { paths, signInLinkToken } from '../../navigation/paths.ts'
import { OutsidePage } from '../../shell/outside-page.tsx'
import { PasswordSetForm } from './password-set-form.tsx'
import { SignInForm } from './sign-in-form.tsx'

/** Signs in by name and password, or by a link that sets a password. */
export function SignInPage() {
  const { back } = useSearch({ from: paths.signIn })
  const [linkToken] = useState(takeLinkToken)
  return (
    <OutsidePage>
      {linkToken === undefined ? <SignInForm back={back} /> : <PasswordSetForm token={linkToken} />}
    </OutsidePage>
  )
}

/** Removes the token of a link from the address at once, so that it stays out of the history. */
function takeLinkToken(): string | undefined {
  const token = signInLinkToken(location.hash)
  if (token !== undefined) history.replaceState(history.state, '', location.pathname + location.search)
  return token
}
