/** Guides for people, by the name of their file in the folder `docs` and of their address below `/docs`. */
export const GUIDES = {
  'app-developers': 'Guide for app developers',
  'phone-apps': 'Record with an app you already have',
  webhooks: 'Webhooks',
  publishing: 'Publishing',
  operating: 'Operating',
  configuration: 'Configuration',
  errors: 'Errors',
  glossary: 'Glossary',
} as const

export type Guide = keyof typeof GUIDES
