import { converse, type ElizaMessage } from './eliza.ts';

/** 80 messages of a user, each with the reply. After a change of the script, check that the replies make sense. */
const CONVERSATION = `
> Good morning
Good morning to you. How has the day treated you so far?
> I don't know where to start.
Suppose that you did know. What would you say then?
> It is about my husband.
Tell me more about your husband.
> My husband keeps forgetting our anniversary.
How do you explain to yourself that your husband keeps forgetting your anniversary?
> He says it is only a date.
What might be the reason, seen from the other side?
> I feel ignored.
Tell me more about feeling ignored.
> I have told him many times.
How do you feel about that?
> We fought about it last night.
What was it really about, underneath?
> I shouted at him.
And how did it end between you?
> Now I feel guilty.
Who is the judge here?
> My mother was the same.
How did it shape you that your mother was the same?
> She was never content.
Tell me more about this person.
> I don't want to be like her.
What would happen if you did?
> I am a nurse.
What does it mean to you to be a nurse?
> I work night shifts.
What would your ideal working day look like?
> I'm exhausted all the time.
What takes so much out of you?
> My manager is not interested.
What gives you the impression that your manager is not interested?
> The hospital is understaffed.
I am no doctor and can't advise on that. How are you coping with it?
> I should look for another job.
How much of you is in your work?
> I am afraid that I will make a mistake.
How likely is it, do you think, that you will make a mistake?
> It happened to a colleague.
Who comes to mind first?
> They fired her.
How did you take it?
> I love my work, but it's too much.
What makes your work a good one?
> What would you do?
What would you advise somebody in your place?
> How do you feel?
I have no feelings, only rules. How do you feel?
> You sound like a therapist.
I am neither a doctor nor a therapist, only a list of rules. What would you tell one?
> Do you understand me?
I understand nothing; I follow rules. What would you most like to be understood?
> I want you to be honest with me.
What would it mean to you if I could be honest with you?
> Why are you so evasive?
Does it matter to you whether I am so evasive?
> Fair enough.
Fair enough? Say a little more, please.
> My son is fourteen.
What does it mean for you that your son is fourteen?
> He spends all day in his room.
What matters most to you in this?
> I worry about him.
What do you imagine could happen?
> I never see his friends.
What do you know about them?
> Kids these days are always on their phones.
What was your own childhood like?
> When I was young we played outside.
What do you remember best from that time?
> I was a happy child.
What was it like to be a happy child?
> My grandmother told us stories.
Describe your grandmother to me.
> I remember her kitchen.
What else comes back with her kitchen?
> It smelled of apples.
What does that mean to you?
> I miss those days.
What do you miss most about those days?
> I would like to go back there.
What would it be like to go back there?
> The house was sold.
What does home mean to you?
> I need a holiday.
What would a holiday change for you?
> We could go to the sea.
Who is "we" here?
> My husband hates the sea.
How do you deal with that?
> He can't swim.
What makes it impossible?
> That is funny, I just realised it.
What makes you laugh?
> He never told me why.
What reasons have you considered?
> Perhaps he is afraid.
What does that fear say to you?
> I could ask him.
Tell me more about this person.
> I'm going to ask him tonight.
What do you expect to come of it?
> I am nervous about it.
What do you imagine could happen?
> If he laughs at me, I will leave.
What matters most to you in this?
> No, I would not.
What holds you back?
> I love him.
What do you like best about him?
> We have been married for twenty years.
What would you call a good relationship?
> Twenty years is a long time.
Earlier you mentioned your husband. Is there more to tell?
> He used to write me letters.
Tell me more about this person.
> I kept all of them.
You kept all of them: how was that for you?
> Maybe I should read them again.
What keeps you from it?
> That would be nice.
Can you describe it more closely?
> I feel calmer now.
Do you often feel calmer now?
> Talking helps.
And what lies behind that?
> Even to a computer.
What part do machines play in your life?
> Who wrote you?
This script was written for this service, after an idea of Joseph Weizenbaum's. Why do you want to know?
> Interesting!
Interesting? What comes to mind when you think of it?
> Can I come back tomorrow?
Do you want to be able to come back tomorrow?
> I have to cook dinner.
Who says that you have to cook dinner?
> My daughter is coming over.
And how do you feel about that?
> She is pregnant.
What does that change for you?
> I am so proud of her!
I am glad that you are so proud. How did that come about?
> I'm going to be a grandmother.
How do you imagine being a grandmother?
> I can't believe it.
What happens when you try to believe it?
> Life is strange.
And what does that have to do with you?
> You are right.
What did I write that looks right to you?
> I hope that it will be a girl.
What makes you hope for it?
> I have to go now.
Goodbye. Thank you for talking with me.
> Thank you for your patience.
You are welcome. What was it about my patience that helped?
> Bye
Goodbye. I hope it helped to put it into words.
`;

const lines = CONVERSATION.trim().split('\n');
const turns = lines.flatMap((line, at) => (line.startsWith('> ') ? [[line.slice(2), lines[at + 1] ?? '']] : []));

it('a long conversation has the expected replies', () => {
  expect(turns).toHaveLength(80);
  const messages: ElizaMessage[] = [];
  for (const [text = '', expected = ''] of turns) {
    messages.push({ role: 'user', text });
    const { deltas } = converse({ messages });
    const reply = [...deltas].map((delta) => (delta.type === 'text' ? delta.text : '')).join('');
    expect([text, reply]).toEqual([text, expected]);
    messages.push({ role: 'assistant', text: reply });
  }
});

it('a long conversation repeats at most four replies', () => {
  expect(new Set(turns.map(([, reply]) => reply)).size).toBeGreaterThanOrEqual(turns.length - 4);
});
