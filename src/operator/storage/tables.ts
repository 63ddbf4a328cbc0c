/** A person who can sign in. Times are milliseconds since 1970 in all tables. */
export type OperatorRow = {
  id: string
  name: string
  /** Form of the name for comparison: no two names differ only in case. */
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
  /** Id in the list of sessions. */
  id: string
  operator_id: string
  created_at: number
  last_seen_at: number
  /** `User-Agent` of the browser and its address at sign-in, so that operators recognise the session. */
  user_agent: string
  address: string
}

/** Failures to sign in from an address or for a name, found by the SHA-256 of it. */
export type SignInFailureRow = {
  caller_sha256: string
  count: number
  last_at: number
}

/** An uploaded map file, found by the SHA-256 of its bytes. */
export type MapFileRow = {
  sha256: string
  blob_key: string
  /** Name that the file was uploaded under. */
  name: string
  size_bytes: number
  /** Facts from its header and metadata, as JSON. */
  facts: string
  created_at: number
}

/** The map that the operators have chosen, as JSON. There is one row, with the id 1, once they have. */
export type MapChoiceRow = {
  id: number
  choice: string
  changed_at: number
}

export type OperatorTables = {
  operators: OperatorRow
  sign_in_links: SignInLinkRow
  sessions: SessionRow
  sign_in_failures: SignInFailureRow
  map_files: MapFileRow
  map_choice: MapChoiceRow
}
