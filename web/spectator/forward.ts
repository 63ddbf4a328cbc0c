// Earlier share links had the token in the fragment, which no server sees. This script forwards them to present links.
const text = location.hash.slice(1)
const token = new URLSearchParams(text).get('token') ?? decodeURIComponent(text)
if (token !== '') location.replace(`/s/${encodeURIComponent(token)}`)

export {}
