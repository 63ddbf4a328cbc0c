/** App tokens. */
export const tokens = {
  'token.token': 'App token',
  'token.server': 'Server address',
  'token.qr': 'QR code with the server address and the app token',
  'token.qrHelp': 'Scan it with the app to set the server address and the token.',
  'token.curlCreate': 'Try it: start a track',
  'token.curlPoint': 'Send a point',
  'token.curlFinish': 'Finish the track',

  'tokens.explanation':
    'Apps use a token to send tracks to this event and to read them. Give each team its own token, so that you can revoke one without affecting the others.',
  'tokens.empty': 'No tokens',
  'tokens.emptyHelp': 'Apps need a token to send tracks to this event.',
  'tokens.new': 'Your new token',
  'tokens.create': 'New token',
  'tokens.createSubmit': 'Create token',
  'tokens.label': 'Label',
  'tokens.labelHelp': 'Optional. Helps you recognise the token.',
  'tokens.lastUsed': 'Last used',
  'tokens.never': 'Never',
  'tokens.show': 'Show',
  'tokens.showThis': 'Show token: {{name}}',
  'tokens.cannotShow': 'This token was created with a different server secret and cannot be displayed. It still works.',
  'tokens.revoke': 'Revoke',
  'tokens.revokeThis': 'Revoke token: {{name}}',
  'tokens.revokeHelp': 'Apps that use it are rejected from their next request on. What they have sent stays.',
  'tokens.revokeLast': 'It is the only token of this event.',
  'tokens.revoked': 'Token revoked',
  'tokens.rotate': 'Replace all',
  'tokens.rotateHelp':
    'A new token replaces all others. Keep the old ones valid for a while, so that phones in use can switch over.',
  'tokens.rotateSubmit': 'Replace tokens',
  'tokens.overlap': 'Old tokens expire',

  'address.local': 'No phone can open this address',
  'address.localHelp':
    'It leads to the computer that opens it. Set <code>{{setting}}</code> to the address under which phones reach this server, such as https://tracks.example.org, and <code>HOST</code> to 0.0.0.0 unless a proxy runs on the same machine. Then restart.',
  'address.plain': 'Phones refuse this address: it is not encrypted',
  'address.plainHelp':
    'Apps send nothing to an address with http, and anyone on the way could read it. Put a proxy with HTTPS in front of this server, and set <code>{{setting}}</code> to its https address.',
} as const
