/** Groups of words, feelings, people, daily life, wishes and opinions. */
export const TOPICS = `
group i: i we; you: you; we: we; are: am are is was were; feel: feel am feeling felt
group intensely: so very really quite rather extremely pretty always just too terribly
group sad: sad unhappy depressed miserable low gloomy down heartbroken
group happy: happy glad cheerful joyful delighted excited proud hopeful great wonderful relieved
group afraid: afraid scared frightened terrified anxious nervous worried; worry: worry fear panic
group angry: angry furious mad annoyed irritated frustrated; with: with at about
group lonely: lonely alone lonesome isolated abandoned
group tired: tired exhausted sleepy weary stressed overwhelmed burnt-out; guilty: guilty ashamed embarrassed bad
group cannot: can't don't couldn't; cry: cry cried; died: died dead gone
group elder: mother father parents stepmother stepfather grandmother grandfather grandma grandpa aunt uncle
group family: @elder sister brother twin wife husband son daughter cousin family
group friend: friend friends buddy colleague colleagues neighbour neighbours neighbor roommate
group partner: boyfriend girlfriend partner ex ex-wife ex-husband fiance fiancee lover marriage relationship
group boss: boss manager supervisor teacher professor landlord coworker; pet: dog cat pet puppy kitten
group kids: children kids baby child; person: @family @friend @partner @boss @kids; he: he she; him: him her them
group everybody: everyone everybody; nobody: nobody noone none; they: they we; job: job work office career company
group exam: exam exams test homework studies grades; debt: debt debts; doctor: doctor therapist
group dreamt: dream dreamed dreamt; it: it this that; go: go leave; anybody: anyone anybody people
group his: his her their; made: made wrote built created programmed; plan: plan plans goal goals
group problem: problem problems trouble issue issues; want: want need wish hope crave desire
group think: think believe suspect doubt; like: like love enjoy prefer adore; hope: hope wish
group hate: hate hates dislike detest despise; can: can could would should do will
group treats: makes made ignores ignored treats treated left hates loves
group never: @treats never always keeps forgets said says thinks wants; one: one
group agree: yes yeah sure certainly definitely exactly indeed absolutely; daytime: morning evening afternoon
group maker: ai chatbot robot bot machine program computer llm gpt chatgpt algorithm human person real
group computers: ai chatbots robots computer robot chatgpt program machine; facts: is are was were time day does
group fought: fight fought argue argued argument quarrel; change: change changed changes
group stupid: stupid idiot dumb useless; quality: perfect awful terrible horrible bad good nice
key 100: suicide suicidal kill die dying overdose self-harm
  if * @i want to die *: go $crisis
  if * @i want to kill myself *: go $crisis
  if * kill myself *: go $crisis
  if * suicidal *: go $crisis
  if * suicide *: go $crisis
  if * want to be dead *: go $crisis
  if * self-harm *: go $crisis
  if * overdose *: go $crisis
  if * is dying *: I am sorry to hear it. How are you coping with that? | That is hard. Whom do you have at your side?
  if * @died *: go died
key 0: $crisis
  if *: I am only a program and can't help with this. Please call your local emergency number or somebody close now.
    | This is too important for a program. Please talk to a person today: a friend, a doctor or a crisis line.
key 36: died dead death funeral grief grieving mourning
  if * my + @died *: I am sorry about your (2). What do you miss most? | How has life been without your (2)?
  if *: I am sorry. Do you want to talk about it? | Loss takes its own time. Where are you with it now?
key 30: sad unhappy depressed miserable low gloomy down heartbroken
  if * @i @feel @sad *: I am sorry that you feel (4). What brought it on? | Do you often feel (4)?
    keep You said before that you feel (4). Is that still so?
  if * sad *: What is saddest about it? | Does that sadness have a cause that you can name?
key 29: happy glad cheerful joyful delighted excited proud hopeful great wonderful relieved
  if * @i @feel @happy *: I am glad that you feel (4). What brought it about? | What would keep you (4) for longer?
  if * @i am @intensely @happy *: I am glad that you are so (4). How did that come about?
  if * that is @happy *: It is good to hear you say so. What makes it (2)? | What would you do with more of it?
key 30: afraid scared frightened terrified fear fears anxious anxiety nervous panic worried worry worries
  if * @afraid that +: How likely is it, do you think, that (3)? | What would you do if it came to that?
  if * @afraid about +: What do you imagine could happen? | When you think about (3), what do you see first?
    keep Earlier you were worried about (3). How does it look to you now?
  if * @worry about +: What do you imagine could happen? | When you think about (3), what do you see first?
    keep Earlier you were worried about (3). How does it look to you now?
  if * my @person *: go $person
  if *: What does that fear say to you? | When is it at its strongest, and when does it leave you alone?
    | What would you do if you were not afraid?
key 30: angry furious mad annoyed irritated rage anger frustrated frustrating annoying
  if * @angry @with +: What did you expect of (4)? | Have you told (4)?
  if * my @person *: go $person
  if *: What exactly sets it off? | Where do you feel it?
key 29: lonely alone lonesome isolated abandoned
  if * @i @feel @lonely *: When do you feel (4) the most? | Who would you like to have near you?
    keep You spoke of being (4). Whom have you seen lately?
  if * my @person *: go $person
  if *: What would good company look like? | Is it people that you miss, or certain people?
key 28: tired exhausted sleepy weary stressed overwhelmed burnt-out burnout stress
  if * @i @feel @tired *: What takes so much out of you? | When did you last have a proper rest?
  if * my @person *: go $person
  if *: Where does the pressure come from? | What would take some weight off you?
key 28: sleep insomnia awake nightmares nightmare
  if * @cannot sleep *: What goes through your head when you lie awake? | Since when has sleep been difficult?
  if *: How are your nights? | What are your last thoughts before you fall asleep?
key 28: better worse
  if * @i @feel better *: What has made the difference? | What could help it to last?
  if * worse *: What would be the first thing to get better?
key 29: guilty ashamed guilt shame embarrassed embarrassing regret
  if * regret +: What would you do differently about (2)? | What did you know then, and what do you know now?
  if *: Who is the judge here? | What would it take to forgive yourself? | Does anyone else see it that way?
key 29: confused lost uncertain unsure undecided
  if * i lost +: What did (2) mean to you? | How did you lose (2)?
    keep You told me that you lost (2). Does it still weigh on you?
  if *: What would you need to know to be sure? | Between which choices are you going back and forth?
key 27: hurt hurts pain ache suffer suffering cry crying cried tears
  if * hurt me *: What would you want to hear from the person who hurt you? | How did you react at the time?
  if *: Where do you feel it most? | What eases it, if only for a while?
key 0: $person
  if * my @person is always +: What do you do when your (2) is (3)? | How was your (2) in better times?
  if * my @person *: What is it between you and your (2)? | What would you like to tell your (2)?
key 25: @family
  if * i am going to *: go am
  if * my @family @never +: How do you explain to yourself that your (2) (3) (4)? | How do you deal with that?
    keep You mentioned your (2). What else should I know about your (2)?
  if * my @family is +: What does it mean for you that your (2) is (3)? | And how do you feel about that?
    keep You told me that your (2) is (3). Where does that leave you?
  if * my @family was +: How did it shape you that your (2) was (3)?
  if * my @family *: Tell me more about your (2). | Describe your (2) to me.
    keep Earlier you mentioned your (2). Is there more to tell?
  if * @family *: Who in your own family comes to mind? | What does the word "(2)" bring up for you?
key 25: friend friends buddy colleague colleagues neighbour neighbours neighbor roommate
  if * @his @friend *: What do you know about them? | How do you see them?
  if *: Who comes to mind first? | What do you expect of the people around you? | Who was your first friend?
key 27: left broke breakup
  if * broke up *: How did you learn that it was over? | What do you miss, and what do you not miss?
  if * breakup *: What do you miss, and what do you not miss?
key 26: @partner married divorce divorced
  if * has a @partner *: What does that change for you?
  if *: What would you call a good relationship? | What have you learned from it about yourself?
key 25: boss manager supervisor teacher professor landlord coworker coworkers
  if * my @boss is +: What gives you the impression that your (2) is (3)? | How do others deal with it?
  if *: How do you get on with people who have a say over you?
key 25: dog cat pet puppy kitten
  if * my @pet *: What is your (2) called? | What does your (2) give you that people do not?
  if *: What do you like about animals?
key 10: everyone everybody
  if * @everybody @hate me *: Everyone? Who most of all? | What makes you believe that they do?
  if * @everybody +: Every single one? Is there no exception? | Whom do you have in mind when you say (2)?
    | Who was the last person you noticed it in?
key 10: nobody noone none
  if * @nobody +: Nobody at all? Who comes closest? | When was the last time that somebody did?
  if *: Not one person? Think of last week.
key 9: he she him her
  if * @he @never +: What might be the reason, seen from the other side? | What did you think when that happened?
  if *: Tell me more about this person. | What matters most to you in this?
key 11: children kids baby child pregnant
  if * pregnant *: What does that change for you?
  if *: What was your own childhood like?
key 20: job work working office career company unemployed fired promotion
  if * @i @hate my @job *: What about your (4) do you dislike most? | What keeps you there?
    keep You said that you do not like your (4). What would you do instead?
  if * @i love my @job *: What makes your (3) a good one?
  if * fired *: How did you take it? | Was it fair, as you see it?
  if *: What would your ideal working day look like? | How much of you is in your work?
    | When did work last make you proud?
key 20: school exam exams university college homework study studying studies test grades
  if * failed *: What did you learn from it, apart from the subject? | Whom did you tell?
  if *: What do you like to learn, when nobody grades it? | What would your teachers say about you?
key 19: money rent debt debts salary poor rich expensive
  if * rich *: What would you do with it on the first day?
  if *: What does money stand for in your life? | How was money spoken of in your family? | How much would be enough?
key 21: sick ill illness doctor hospital headache headaches cancer therapy therapist pills medication
  if * you + a @doctor *: I am neither a doctor nor a therapist, only a list of rules. What would you tell one?
  if *: I am no doctor and can't advise on that. How are you coping with it? | What has been the hardest part of it?
key 20: dream dreams dreamed dreamt dreaming
  if * @i @dreamt about +: What does (4) mean to you when you are awake? | How did the dream end?
  if *: What do you dream of, by night or by day? | Whom have you told your dreams?
key 15: holiday holidays vacation travel travelling trip weekend home house flat apartment city town moved moving
  if * moved to +: What did you leave behind? | What did you hope to find in (2)?
  if *: What does home mean to you?
key 13: past remember memory memories childhood yesterday forget forgot
  if * @i remember +: What else comes back with (3)? | Why does that come to mind just now?
    keep You said that you remember (3). What does it stand for?
  if *: What from that time is still with you?
key 14: problem problems trouble issue issues difficult difficulty hard
  if * the @problem is +: How long has it been so? | If that were solved tomorrow, what would you notice first?
  if *: What makes it difficult? | Which part of it could you change? | How would somebody else handle it?
key 17: want need wish hope crave desire
  if * @i want you to +: What would it mean to you if I could (3)? | I can only converse. Who else could (3)?
  if * @i don't want to +: What would happen if you did? | What would you rather do?
  if * @i @hope + will +: What makes you hope for it? | What if (4) does not (5)?
  if * @i @want +: What would (4) change for you? | Where would (4) lead you?
    keep Some time ago you said that you (3) (4). Is that still so?
  if * @we @want +: What would it be good for?
key 16: think believe suspect doubt
  if * @i @think so *: What would settle it?
  if * do you @think +: It is your view that counts here. What do you think?
    | A program has no views. What would you like me to say?
key 16: feel feeling felt
  if how do you feel *: go how
  if * @i @feel +: Tell me more about feeling (4). | Do you often feel (4)?
    keep You told me that you feel (4). How is it now?
  if *: Which feeling is the strongest?
key 13: love like enjoy prefer adore
  if * i love you *: That is kind, but I am a program. Is there a person to whom you would say it?
  if * @i would @like to +: What would it be like to (4)? | What is the first thing to do for that?
  if * @i @like +: What do you like best about (4)? | How did you find out that you like (4)?
    keep You told me what you like: (4). What else does you good?
key 13: miss missing
  if * @i miss +: What do you miss most about (3)? | Could some of that come back?
    keep You said that you miss (3). What would bring some of it back?
  if *: What is missing, exactly?
key 14: hate dislike detest despise
  if * @i @hate myself *: What would you say to a friend who spoke like that?
    | Those are hard words. Where do you know them from? A person who knows you may help more than I can.
  if * @hate me *: What makes you believe that? | What would they say if you asked them?
key 15: fight fought argue argued argument quarrel shouted yelled
  if * at @him *: And how did it end between you? | Who said the first word afterwards?
  if * @fought about +: What was it really about, underneath? | How did it end?
  if *: What is it usually about? | How do you make peace again?
key 12: joke funny fun laugh
  if * tell me a joke *: A program walks into a bar and asks how the bar feels about that. What makes you laugh?
  if *: What makes you laugh? | With whom do you laugh most?
`;
