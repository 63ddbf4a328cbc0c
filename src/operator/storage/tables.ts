/** A person who may sign in. Times are milliseconds since 1970 in all tables. */
export type OperatorRow = {
  id: string
  name: string
  /** The name as it is compared: no two operators differ in upper and lower case alone. */
  name_key: string
  /** In the PHC string format; null until a sign-in link sets a password. */
  password_hash: string | null
  created_at: number
  last_sign_in_at: number | null
}

/** A sign-in link that has not been used, found by the SHA-256 of its token. */
export type SignInLinkRow = {
  token_sha256: string
  operator_id: string
  created_at: number
  expires_at: number
}

/** A signed-in browser, found by the SHA-256 of its cookie. */
export type SessionRow = {
  token_sha256: string
  /** What the list of sessions names it by. */
  id: string
  operator_id: string
  created_at: number
  last_seen_at: number
  /** What the browser called itself, and the address it signed in from: for people to recognise it by. */
  user_agent: string
  address: string
}

/** How often an address or a name failed to sign in, found by the SHA-256 of what it is. */
export type SignInFailureRow = {
  caller_sha256: string
  count: number
  last_at: number
}

export type OperatorTables = {
  operators: OperatorRow
  sign_in_links: SignInLinkRow
  sessions: SessionRow
  sign_in_failures: SignInFailureRow
}
