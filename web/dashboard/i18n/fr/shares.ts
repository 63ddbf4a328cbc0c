import type { shares as english } from '../en/shares.ts'
import type { TextsOf } from '../en/texts-of.ts'

/** Addresses for spectators, and what they see there. */
export const shares: TextsOf<typeof english> = {
  'shares.explanation':
    'Les spectateurs voient les traces sur une carte en direct, à une adresse à eux, sans se connecter. Ils ne peuvent rien modifier.',
  'shares.empty': 'Rien n’est partagé',
  'shares.emptyHelp': 'Partagez ici tout l’événement, ou une trace depuis sa page.',
  'shares.create': 'Partager l’événement',
  'shares.createTrack': 'Partager',
  'shares.createEventHelp': 'Qui a l’adresse voit toutes les traces de cet événement, y compris les prochaines.',
  'shares.createTrackHelp': 'Qui a l’adresse voit cette seule trace, en direct tant qu’elle est en cours.',
  'shares.createSubmit': 'Créer l’adresse',
  'shares.created': 'L’adresse est prête à être transmise.',
  'shares.qr': 'Code QR avec l’adresse pour les spectateurs',
  'shares.label': 'Pour qui (peut rester vide)',
  'shares.lifetime': 'Elle fonctionne',
  'shares.forDay': 'pendant un jour',
  'shares.forWeek': 'pendant une semaine',
  'shares.forMonth': 'pendant 30 jours',
  'shares.forEver': 'jusqu’à ce qu’on y mette fin',
  'shares.wholeEvent': 'Tout le monde',
  'shares.showsEvent': 'Tout l’événement',
  'shares.showsTrack': 'Une trace : {{title}}',
  'shares.open': 'Ouverte',
  'shares.expired': 'Expirée',
  'shares.revoked': 'Terminée',
  'shares.until': 'jusqu’au {{time}}',
  'shares.noEnd': 'sans fin prévue',
  'shares.copy': 'Copier l’adresse',
  'shares.revoke': 'Mettre fin',
  'shares.revokeThis': 'Mettre fin au partage : {{name}}',
  'shares.revokeHelp': 'L’adresse cesse de fonctionner aussitôt, aussi pour ceux qui regardent.',
  'shares.revokedNow': 'L’adresse ne fonctionne plus',

  'share.title': 'Traces partagées',
  'share.over': 'N’est plus partagé',
  'share.overTitle': 'Cette adresse ne fonctionne plus',
  'share.overHelp': 'Elle a pris fin ou a été retirée. Demandez-en une nouvelle à qui vous l’a donnée.',
  'share.nothingYet': 'Rien à voir pour l’instant',
  'share.nothingYetHelp': 'La carte apparaît avec les premiers points.',
}
